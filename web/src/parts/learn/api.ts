// Lessons of the server, over the page's one client.
import { call } from "@/client";
import type { Lesson } from "@/wire";

export interface Asked {
  game: string;
  start: string | null;
  simulations: number; // that were made before
  method: Lesson["method"];
}

export const lessonOf = (asked: Asked) => call<Lesson>("POST", "/api/learn", asked);

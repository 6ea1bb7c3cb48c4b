// Lessons of the server, over the page's one client.
import { call } from "@/client";
import type { Lesson, NewLesson } from "@/wire";

/** What a lesson is about, with nothing left to the server. */
export type Asked = Required<NewLesson>;

export const lessonOf = (asked: Asked) => call<Lesson>("POST", "/api/learn", asked);

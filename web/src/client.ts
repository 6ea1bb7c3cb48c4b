// The page's end of the line to the server: requests that answer once, and websockets that come back by themselves.
import type { GameInfo, NewSession, Session, SessionLine } from "./wire";

/** The server said no, in a sentence for people. */
export class Refused extends Error {
  constructor(
    sentence: string,
    readonly status: number,
  ) {
    super(sentence);
  }
}

/** The engine's sentences go on after a colon; here they stand alone. */
export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** What went wrong, whoever threw it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refused) return capital(error.message);
  return "The server does not answer; see whether `sevenfold serve` is still running.";
}

export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(refusalIn(text, answer.status), answer.status);
  return (text === "" ? null : JSON.parse(text)) as Answer;
}

function refusalIn(text: string, status: number): string {
  try {
    const said = JSON.parse(text);
    const sentence = said.sentence ?? said.detail;
    if (typeof sentence === "string") return sentence;
  } catch {
    // a proxy between us and the server answers in its own words
  }
  return `The server refused (${status}).`;
}

const session = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;

export const api = {
  games: () => call<GameInfo[]>("GET", "/api/games"),
  game: (spec: string) => call<GameInfo>("GET", `/api/games/${encodeURIComponent(spec)}`),
  sessions: () => call<SessionLine[]>("GET", "/api/sessions"),
  begin: (asked: NewSession) => call<Session>("POST", "/api/sessions", asked),
  remove: (id: string) => call<null>("DELETE", session(id)),
  recordAddress: (id: string, format: string) => `${session(id)}/record?format=${encodeURIComponent(format)}`,
  sessionSocket: (id: string) => `${session(id)}/ws`,
};

export interface Line<Ask> {
  /** False when the line is down: nothing is kept for later, since the state that comes back may be another. */
  send(ask: Ask): boolean;
  close(): void;
}

export interface Listener<Tell> {
  heard(tell: Tell): void;
  /** The line went up or down. */
  changed(up: boolean): void;
  /** The server has nothing at this address, now or later. */
  gone?(): void;
}

const GONE = 4404; // the code with which the server closes
const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** A websocket that is opened again when it breaks, at growing intervals, and at once when the browser is online again. */
export function connect<Ask, Tell>(path: string, listener: Listener<Tell>): Line<Ask> {
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT;
  let closed = false;

  function open(): void {
    clearTimeout(timer);
    const mine = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket = mine;
    mine.onopen = () => {
      wait = FIRST_WAIT;
      listener.changed(true);
    };
    mine.onmessage = (event) => listener.heard(JSON.parse(String(event.data)) as Tell);
    mine.onclose = (event) => {
      if (closed || socket !== mine) return;
      socket = null;
      if (event.code === GONE) {
        closed = true;
        return listener.gone?.();
      }
      listener.changed(false);
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  }

  const online = () => {
    if (socket === null && !closed) open();
  };
  addEventListener("online", online);
  open();
  return {
    send(ask) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(ask));
      return true;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      removeEventListener("online", online);
      socket?.close();
    },
  };
}

// What the server and the page say to each other. src/sevenfold/server/wire.py is the same in Python: a test compares
// the two. Values are per player and absolute, as everywhere in the house.

/** Every answer with a status of 400 or more. */
export interface Problem {
  sentence: string;
}

// ---- the games -------------------------------------------------------------------------------------------------

/** A text in the two languages of the house. */
export interface Words {
  en: string;
  "zh-TW": string;
}

export interface OptionInfo {
  name: string;
  kind: "integer" | "real" | "choice" | "flag" | "text";
  default: unknown;
  help: string;
  title: Words; // what people read for the name
  about: Words; // and for the help
  low?: number;
  high?: number;
  choices?: string[];
}

/** An opponent in plain words; `player` is the spec behind them, such as "uct:seconds=1". */
export interface Level {
  id: "beginner" | "easy" | "medium" | "hard" | "strongest";
  player: string;
  title: Words;
  about: Words;
}

export interface GameInfo {
  name: string;
  spec: string;
  title: Words;
  how: Words; // how it is played, for people
  players: number;
  chance: boolean;
  hidden: boolean;
  actions: number;
  returns: [number, number];
  sum: "zero" | "any";
  options: OptionInfo[];
  presets: string[];
  seats: Words[]; // what the seats are called: "red", "yellow"
  levels: Level[]; // those that work for this game, weak to strong
  players_known: string[]; // names of all players, for people who type a spec
  drawing: boolean; // whether the room has a picture; else its text is shown
  formats: string[]; // records can be saved as: "jsonl", and what the room adds ("sgf", "fumen")
  set_up: boolean; // whether a position can be typed or set up
  miniature: unknown; // a picture of a position from the middle of a game, for the lobby; null without drawing
  training: boolean; // whether a small run can be started from the page
  learn: boolean; // whether a simulation can be stepped through
}

// ---- sessions --------------------------------------------------------------------------------------------------

export interface Seat {
  kind: "human" | "player";
  player: string | null; // the spec, of a player
  level: Level["id"] | null;
  name: string; // what people read
}

/** POST /api/sessions. A game by name and options or by preset; a start by position text or by a record. */
export interface NewSession {
  game: string;
  options?: Record<string, unknown>;
  preset?: string | null;
  seed?: number | null; // null: the server draws one
  start?: string | null; // a position text
  record?: string | null; // a record as text; then game, options and seed are its own
  format?: string | null; // of the record; null: jsonl
  like?: string | null; // the id of a session: its game with its options; then game is not read
  seats: { level?: Level["id"] | null; player?: string | null }[]; // neither: a person
}

export type Mover = number | "chance" | "over";

/** A move in the tree of variations. Node 0 is the start. */
export interface Node {
  id: number;
  parent: number | null;
  // null at the start, where the viewer does not know what was played, and for a deal told at one go (text "dealt")
  action: number | null;
  text: string; // what people read for the action; "" at the start
  mover: Mover; // who made the move: a seat, or chance
  ply: number;
  values: number[] | null; // what was expected after it, per player, where somebody has thought about it
  mark: Mark | null; // from the review
}

export interface ActionInfo {
  action: number;
  text: string;
}

/** A position as the person may see it: with hidden hands, only their own. */
export interface Position {
  node: number;
  to_move: Mover;
  legal: ActionInfo[]; // of the person's own turn; empty while others move
  returns: number[] | null; // when it is over
  text: string | null; // short, to copy; null where the game has none or hides something
  drawn: string; // for a monospaced font
  picture: unknown; // the room's own JSON for its board.ts; null without one
}

export interface Session {
  id: string;
  version: number; // one more with every change
  game: string; // the spec
  name: string; // of the game
  players: number;
  returns: [number, number];
  seats: Seat[];
  viewer: number | null; // whose eyes: null where nothing is hidden, or when it is over
  nodes: Node[]; // all variations, in the order in which they were made
  line: number[]; // node ids from the start to the end of the chosen variation
  at: number; // the node that is shown
  position: Position; // of that node
  thinking: Thinking | null;
  review: ReviewState | null;
  created: string; // ISO 8601
  updated: string;
}

/** GET /api/sessions. */
export interface SessionLine {
  id: string;
  name: string;
  game: string;
  seats: Seat[];
  plies: number;
  over: boolean;
  returns: number[] | null;
  updated: string;
}

export interface Thinking {
  kind: "move" | "hint" | "analysis" | "review";
  seat: number | null;
  player: string;
  seconds: number | null; // the budget; null: until stopped
  waiting: boolean; // in the queue for a free core
}

// ---- thoughts --------------------------------------------------------------------------------------------------

/** One action as a player sees it (sevenfold.players.ActionView). */
export interface ActionView {
  action: number;
  text: string;
  visits: number;
  value: number | null; // for the mover
  prior: number | null;
  share: number; // of the policy
  proven: boolean;
  pv: ActionInfo[];
  score: number | null;
}

/** SearchResult for the page: actions best first, with texts. */
export interface Thought {
  node: number;
  player: string;
  mover: number;
  action: number;
  values: number[]; // per player
  proven: boolean;
  nodes: number;
  seconds: number;
  depth: number;
  pv: ActionInfo[];
  actions: ActionView[];
  final: boolean;
}

/** A node of the search tree, opened by the actions that lead to it from the position shown. */
export interface TreeNode {
  path: number[];
  mover: Mover;
  visits: number;
  value: number | null; // for its mover
  proven: boolean;
  children: TreeEdge[];
}

export interface TreeEdge {
  action: number;
  text: string;
  visits: number;
  q: number | null; // for the mover of the node above
  prior: number | null;
  u: number | null; // what the formula adds to q
  proven: boolean;
  expandable: boolean;
}

// ---- review ----------------------------------------------------------------------------------------------------

export type Mark = "good" | "slack" | "blunder";

export interface ReviewMove {
  node: number;
  ply: number;
  seat: number;
  mark: Mark;
  score: number;
  value: number; // of the move, for the mover
  best: number; // of the best move found
  better: ActionInfo[]; // the better line; empty where the move was the best
}

export interface ReviewState {
  done: number;
  moves_in_all: number;
  complete: boolean;
  player: string;
  excitement: number | null;
  seats: { good: number; slack: number; blunder: number; best_share: number | null; score: number | null }[];
  moves: ReviewMove[];
}

// ---- websocket of a session: /api/sessions/{id}/ws ------------------------------------------------------------------

export type Ask =
  | { type: "play"; action: number; at: number } // at: the node the person looked at
  | { type: "go"; node: number } // show another node; playing there makes a variation
  | { type: "line"; at: number; actions: number[] } // adds a variation, such as a better line, and shows its first move; nobody answers it
  | { type: "undo" } // back to the person's last decision
  | { type: "redo" }
  | { type: "hint"; seconds?: number }
  | { type: "analyse"; on: boolean; player?: string } // thoughts stream until switched off
  | { type: "tree"; path: number[] } // of the running or last analysis
  | { type: "review"; player?: string; seconds?: number } // seconds per move
  | { type: "stop" } // whatever is being thought
  | { type: "seat"; seat: number; level?: Level["id"] | null; player?: string | null } // hand a seat over
  | { type: "go_on" } // let a player move at a node to which the person has gone back
  | { type: "ping"; id: number };

export type Tell =
  | { type: "session"; session: Session } // the whole state: at the beginning and after every change
  | { type: "thought"; thought: Thought; of: Thinking["kind"] }
  | { type: "tree"; tree: TreeNode }
  | { type: "error"; sentence: string }
  | { type: "pong"; id: number };

// ---- training --------------------------------------------------------------------------------------------------

export interface RunLine {
  id: string;
  game: string;
  preset: string | null;
  running: boolean;
  from_page: boolean; // only those can be stopped here
  iteration: number;
  games: number;
  seconds: number;
  updated: string;
  checkpoints: number[];
}

/** POST /api/runs. */
export interface NewRun {
  game: string;
  preset: string; // quick …
  minutes?: number | null;
}

/** GET /api/runs/{id}; websocket /api/runs/{id}/ws sends it, then each new line of metrics and ratings. */
export interface RunState extends RunLine {
  metrics: Record<string, number>[]; // metrics.jsonl, thinned to at most 2000 lines
  ratings: { iteration: number; opponent: string; score: number; elo: number | null; games: number }[];
  progress: { done: number; planned: number | null; seconds_left: number | null } | null;
  log: string; // the last words of a run that failed
  config: Record<string, unknown> | null; // config.json as it is
}

/** GET /api/runs/{id}/thought: what the newest net says of the initial position, without any search. */
export interface FirstThought {
  iteration: number;
  position: Position;
  thought: Thought;
}

export type RunTell =
  | { type: "run"; run: RunState }
  | { type: "metrics"; line: Record<string, number> }
  | { type: "error"; sentence: string };

/** POST /api/matches: two players, or checkpoints as "run:ID@ITERATION", against each other. GET gives the state. */
export interface NewMatch {
  game: string;
  players: [string, string];
  games: number;
}

export interface MatchState {
  id: string;
  game: string;
  players: string[];
  games: number;
  planned: number;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  elo: number | null;
  elo_interval: [number | null, number | null];
  running: boolean;
  sentence: string | null; // why it ended before its last game
}

// ---- learn -----------------------------------------------------------------------------------------------------

/** POST /api/learn: the next simulation of a search, step by step. */
export interface NewLesson {
  game: string;
  start?: string | null;
  simulations?: number; // done before this one
  method?: "uct" | "alphazero";
}

export interface Lesson {
  game: string;
  method: "uct" | "alphazero";
  number: number; // of this simulation
  root: Position;
  formula: string; // as text: "Q + c · sqrt(ln N / n)"
  constants: Record<string, number>;
  steps: LessonStep[];
  before: TreeNode; // the root before
  after: TreeNode; // and after
}

export interface LessonStep {
  kind: "select" | "expand" | "evaluate" | "back_up";
  path: number[]; // from the root to where this step is
  position: Position; // there
  // select: the formula with numbers; total null where there is none: not tried yet ("∞": it comes first), or chance
  edges?: (TreeEdge & { total: number | null; filled: string; chosen: boolean })[];
  node?: TreeNode; // expand: the new node; with a net it has a prior for each action
  value?: (number | null)[]; // evaluate: per player; null where a random game does not tell (three players and more)
  by?: "rules" | "rollout" | "net" | "uniform" | "proof"; // uniform: there is no net, every position is worth nothing
  changes?: { path: number[]; visits: [number, number]; q: [number | null, number | null] }[]; // back_up
  code: { file: string; first: number; text: string }; // the lines of our source that do it
}

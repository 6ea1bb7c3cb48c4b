"""What the server and the page say to each other: web/src/wire.ts in Python, by the same names; a test compares them.

What comes from outside (`In`) is checked strictly and has a largest size; what goes out (`Out`) is only described.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Text = Annotated[str, Field(max_length=200)]
"""A name, a player's text."""
LongText = Annotated[str, Field(max_length=500_000)]
"""A position or a record."""
Number = Annotated[int, Field(ge=0, lt=2**53)]
LevelId = Literal["beginner", "easy", "medium", "hard", "strongest"]
Mover = int | Literal["chance", "over"]
Mark = Literal["good", "slack", "blunder"]


class In(BaseModel):
    """From outside: nothing unknown, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Out(BaseModel):
    """To the page; `exclude_none` is never used: a field is there, or it is optional in wire.ts."""

    model_config = ConfigDict(extra="forbid", serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)


# The games


class Words(Out):
    en: str
    zh_tw: str = Field(serialization_alias="zh-TW", validation_alias="zh-TW")


class OptionInfo(Out):
    name: str
    kind: Literal["integer", "real", "choice", "flag", "text"]
    default: Any
    help: str
    title: Words
    about: Words
    low: float | None = None
    high: float | None = None
    choices: list[str] | None = None


class Level(Out):
    id: LevelId
    player: str
    title: Words
    about: Words


class GameInfo(Out):
    name: str
    spec: str
    title: Words
    how: Words
    players: int
    chance: bool
    hidden: bool
    actions: int
    returns: tuple[float, float]
    sum: Literal["zero", "any"]
    options: list[OptionInfo]
    presets: list[str]
    seats: list[Words]
    levels: list[Level]
    players_known: list[str]
    drawing: bool
    formats: list[str]
    set_up: bool
    miniature: Any
    training: bool
    learn: bool


# Sessions


class Seat(Out):
    kind: Literal["human", "player"]
    player: str | None
    level: LevelId | None
    name: str


class NewSeat(In):
    level: LevelId | None = None
    player: Text | None = None


class NewSession(In):
    game: Text
    options: Annotated[dict[Text, Any], Field(max_length=50)] = {}
    preset: Text | None = None
    seed: Number | None = None
    start: LongText | None = None
    record: LongText | None = None
    format: Text | None = None
    like: Text | None = None
    seats: Annotated[list[NewSeat], Field(max_length=8)]


class Node(Out):
    id: int
    parent: int | None
    action: int | None
    text: str
    mover: Mover
    ply: int
    values: list[float] | None
    mark: Mark | None


class ActionInfo(Out):
    action: int
    text: str


class Position(Out):
    node: int
    to_move: Mover
    legal: list[ActionInfo]
    returns: list[float] | None
    text: str | None
    drawn: str
    picture: Any


class Thinking(Out):
    kind: Literal["move", "hint", "analysis", "review"]
    seat: int | None
    player: str
    seconds: float | None
    waiting: bool


class ReviewMove(Out):
    node: int
    ply: int
    seat: int
    mark: Mark
    score: float
    value: float
    best: float
    better: list[ActionInfo]


class ReviewSeat(Out):
    good: int
    slack: int
    blunder: int
    best_share: float | None
    score: float | None


class ReviewState(Out):
    done: int
    moves_in_all: int
    complete: bool
    player: str
    excitement: float | None
    seats: list[ReviewSeat]
    moves: list[ReviewMove]


class Session(Out):
    id: str
    version: int
    game: str
    name: str
    players: int
    returns: tuple[float, float]
    seats: list[Seat]
    viewer: int | None
    nodes: list[Node]
    line: list[int]
    at: int
    position: Position
    thinking: Thinking | None
    review: ReviewState | None
    created: str
    updated: str


class SessionLine(Out):
    id: str
    name: str
    game: str
    seats: list[Seat]
    plies: int
    over: bool
    returns: list[float] | None
    updated: str


# Thoughts


class ActionView(Out):
    action: int
    text: str
    visits: int
    value: float | None
    prior: float | None
    share: float
    proven: bool
    pv: list[ActionInfo]
    score: float | None


class Thought(Out):
    node: int
    player: str
    mover: int
    action: int
    values: list[float]
    proven: bool
    nodes: int
    seconds: float
    depth: int
    pv: list[ActionInfo]
    actions: list[ActionView]
    final: bool


class TreeEdge(Out):
    action: int
    text: str
    visits: int
    q: float | None
    prior: float | None
    u: float | None
    proven: bool
    expandable: bool


class TreeNode(Out):
    path: list[int]
    mover: Mover
    visits: int
    value: float | None
    proven: bool
    children: list[TreeEdge]


# The websocket of a session

Seconds = Annotated[float, Field(gt=0, le=60)]
NodeId = Annotated[int, Field(ge=0, lt=2**31)]


class AskPlay(In):
    type: Literal["play"]
    action: NodeId
    at: NodeId


class AskGo(In):
    type: Literal["go"]
    node: NodeId


class AskLine(In):
    type: Literal["line"]
    at: NodeId
    actions: Annotated[list[NodeId], Field(max_length=200)]


class AskPlain(In):
    type: Literal["undo", "redo", "stop", "go_on"]


class AskHint(In):
    type: Literal["hint"]
    seconds: Seconds | None = None


class AskAnalyse(In):
    type: Literal["analyse"]
    on: bool
    player: Text | None = None


class AskTree(In):
    type: Literal["tree"]
    path: Annotated[list[NodeId], Field(max_length=200)]


class AskReview(In):
    type: Literal["review"]
    player: Text | None = None
    seconds: Seconds | None = None


class AskSeat(In):
    type: Literal["seat"]
    seat: NodeId
    level: LevelId | None = None
    player: Text | None = None


class AskPing(In):
    type: Literal["ping"]
    id: Number


Ask = Annotated[
    AskPlay | AskGo | AskLine | AskPlain | AskHint | AskAnalyse | AskTree | AskReview | AskSeat | AskPing,
    Field(discriminator="type"),
]
ASK: TypeAdapter[Ask] = TypeAdapter(Ask)


# Training


class RunLine(Out):
    id: str
    game: str
    preset: str | None
    running: bool
    from_page: bool
    iteration: int
    games: int
    seconds: float
    updated: str
    checkpoints: list[int]


class NewRun(In):
    game: Text
    preset: Text
    minutes: Annotated[float, Field(gt=0, le=600)] | None = None


class RunRating(Out):
    iteration: int
    opponent: str
    score: float
    elo: float | None
    games: int


class RunProgress(Out):
    done: int
    planned: int | None
    seconds_left: float | None


class RunState(RunLine):
    metrics: list[dict[str, float]]
    ratings: list[RunRating]
    progress: RunProgress | None
    log: str
    config: dict[str, Any] | None


class FirstThought(Out):
    iteration: int
    position: Position
    thought: Thought


class NewMatch(In):
    game: Text
    players: Annotated[list[Text], Field(min_length=2, max_length=2)]
    games: Annotated[int, Field(ge=1, le=1000)]


class MatchState(Out):
    id: str
    game: str
    players: list[str]
    games: int
    planned: int
    wins: int
    draws: int
    losses: int
    score: float
    elo: float | None
    elo_interval: tuple[float | None, float | None]
    running: bool
    sentence: str | None


# Learn


class NewLesson(In):
    game: Text
    start: LongText | None = None
    simulations: Annotated[int, Field(ge=0, le=100_000)] = 0
    method: Literal["uct", "alphazero"] = "uct"


class LessonStep(Out):
    kind: Literal["select", "expand", "evaluate", "back_up"]
    path: list[int]
    position: Position
    edges: list[dict[str, Any]] | None = None
    node: TreeNode | None = None
    value: list[float | None] | None = None
    by: Literal["rules", "rollout", "net", "uniform", "proof"] | None = None
    changes: list[dict[str, Any]] | None = None
    code: dict[str, Any]


class Lesson(Out):
    game: str
    method: Literal["uct", "alphazero"]
    number: int
    root: Position
    formula: str
    constants: dict[str, float]
    steps: list[LessonStep]
    before: TreeNode
    after: TreeNode


class Problem(Out):
    sentence: str

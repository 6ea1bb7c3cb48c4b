"""The server as an ASGI application: what can be asked under /api, and the page itself."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException

import sevenfold
from sevenfold.formats import format_of
from sevenfold.server import page, sockets, specs, wire
from sevenfold.server.catalogue import Catalogue
from sevenfold.server.config import Config
from sevenfold.server.first_thought import first_thought
from sevenfold.server.guard import Guard
from sevenfold.server.host import Host, Refused
from sevenfold.server.matches import Matches
from sevenfold.server.pool import HINT, Pool
from sevenfold.server.runs import Runs
from sevenfold.server.store import Store
from sevenfold.server.table import Table, failure

SessionId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
RunId = Annotated[str, Path(pattern="^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$")]
LESSON_SECONDS = 20.0
WRONG: dict[int | str, dict[str, Any]] = {
    400: {"model": wire.Problem, "description": "A sentence that says what is wrong."},
    404: {"model": wire.Problem, "description": "There is no such thing."},
    413: {"model": wire.Problem, "description": "Too large."},
    422: {"model": wire.Problem, "description": "Not what the schema says."},
    429: {"model": wire.Problem, "description": "Too much at once."},
}


def make_app(config: Config) -> FastAPI:
    """The application; its processes start and end with it."""
    catalogue, pool = Catalogue(config.games), Pool(config.workers)
    store = Store(config.data / "page.db")
    runs, matches = Runs(config.runs_folder, catalogue), Matches()
    host = Host(config, catalogue, store, pool, runs.checkpoint)

    @contextlib.asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        ready = asyncio.create_task(asyncio.to_thread(lambda: catalogue.told))
        try:
            yield
        finally:
            await asyncio.wait({ready})
            await matches.close()
            await pool.close()
            await asyncio.to_thread(runs.close)
            store.close()

    app = FastAPI(
        title="Sevenfold",
        version=sevenfold.__version__,
        description="Play, analyse, review and train games; docs/reference/server.md tells more.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=life,
    )
    app.state.host = host
    _say_what_is_wrong(app)
    _games(app, catalogue)
    windows = sockets.Windows(config.windows)
    _sessions(app, host, windows)
    _runs(app, runs, windows)
    _first_thoughts(app, host, runs)
    _matches(app, host, matches)
    _learn(app, host)
    page.add(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, config=config)
    return app


def _say_what_is_wrong(app: FastAPI) -> None:
    """Every error is one sentence."""

    def problem(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"sentence": sentence}, status)

    @app.exception_handler(RequestValidationError)
    async def not_as_declared(_: Request, error: RequestValidationError) -> JSONResponse:
        return problem(422, sockets.sentence_of(error))

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        return problem(429, str(error))

    @app.exception_handler(ValueError)
    async def wrong(_: Request, error: ValueError) -> JSONResponse:
        return problem(400, str(error))

    @app.exception_handler(ImportError)
    async def missing(_: Request, error: ImportError) -> JSONResponse:
        return problem(400, str(error))

    @app.exception_handler(Exception)
    async def unexpected(_: Request, error: Exception) -> JSONResponse:
        return problem(500, failure(error))

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> JSONResponse:
        sentence = str(error.detail).rstrip(".") + "."
        return JSONResponse({"sentence": sentence}, error.status_code, headers=error.headers)


def _games(app: FastAPI, catalogue: Catalogue) -> None:
    @app.get("/api/games", response_model=list[wire.GameInfo])
    async def games() -> Response:
        """The games on offer."""
        return Response(await asyncio.to_thread(lambda: catalogue.told), media_type="application/json")

    @app.get("/api/games/{name}", response_model_exclude_unset=True, responses=WRONG)
    def game(name: Annotated[str, Path(max_length=200)]) -> wire.GameInfo:
        """One game by its name."""
        return catalogue.info(name)


def _sessions(app: FastAPI, host: Host, windows: sockets.Windows) -> None:
    def found(id: str) -> Table:
        if (table := host.find(id)) is None:
            raise HTTPException(404, f"there is no game {id} on this server.")
        return table

    @app.get("/api/sessions")
    async def sessions() -> list[wire.SessionLine]:
        """The newest sessions."""
        return host.lines()

    @app.post("/api/sessions", status_code=201, responses=WRONG)
    async def create(wanted: wire.NewSession) -> wire.Session:
        """A new game."""
        return host.create(wanted).state()

    @app.get("/api/sessions/{id}", responses=WRONG)
    async def session(id: SessionId) -> wire.Session:
        """A game as it is."""
        return found(id).state()

    @app.delete("/api/sessions/{id}", status_code=204, responses=WRONG)
    async def delete(id: SessionId) -> None:
        """Removes a game."""
        if not host.delete(id):
            raise HTTPException(404, f"there is no game {id} on this server.")

    @app.get("/api/sessions/{id}/record", responses=WRONG, response_class=PlainTextResponse)
    async def record(id: SessionId, format: Annotated[str, Query(max_length=20)] = "jsonl") -> PlainTextResponse:
        """The line shown, as a record to keep."""
        session = found(id).session
        text = format_of(session.game, format).write(session.record())
        headers = {"content-disposition": f'attachment; filename="{session.game.name}-{session.id}.{format}"'}
        return PlainTextResponse(text, headers=headers)

    @app.websocket("/api/sessions/{id}/ws")
    async def talk(socket: WebSocket, id: str) -> None:
        try:
            table, why = host.find(id), f"there is no game {id[:40]!r} on this server."
        except (ValueError, ImportError) as error:  # its rules are no longer there
            table, why = None, str(error)
        if table is None:
            await socket.accept()
            await socket.send_text(sockets.error(why))
            await socket.close(sockets.GONE)
        else:
            async with windows.one_more(socket) as welcome:
                if welcome:
                    await sockets.serve(socket, table, host.config)


def _runs(app: FastAPI, runs: Runs, windows: sockets.Windows) -> None:
    def known(id: str) -> str:
        if runs.find(id) is None:
            raise HTTPException(404, f"there is no run {id!r} on this server.")
        return id

    @app.get("/api/runs")
    def all_runs() -> list[wire.RunLine]:
        """The training runs, the newest first."""
        return [runs.line(id) for id in runs.ids()]

    @app.post("/api/runs", status_code=201, responses=WRONG)
    def start(wanted: wire.NewRun) -> wire.RunLine:
        """Starts a training run."""
        return runs.line(runs.start(wanted))

    @app.get("/api/runs/{id}", responses=WRONG)
    def run(id: RunId) -> wire.RunState:
        """A run with its curves."""
        return runs.state(known(id))

    @app.delete("/api/runs/{id}", status_code=204, responses=WRONG)
    def stop(id: RunId) -> None:
        """Stops a run that was started from the page; what it has learnt is kept."""
        runs.stop(known(id))

    @app.websocket("/api/runs/{id}/ws")
    async def watch(socket: WebSocket, id: str) -> None:
        async with windows.one_more(socket) as welcome:
            if welcome:
                await sockets.watch_run(socket, runs, id)


def _first_thoughts(app: FastAPI, host: Host, runs: Runs) -> None:
    @app.get("/api/runs/{id}/thought", responses=WRONG)
    async def thought(id: RunId) -> wire.FirstThought:
        """What the newest net of a run says of the initial position, without any search."""
        if runs.find(id) is None:
            raise HTTPException(404, f"there is no run {id!r} on this server.")
        return await first_thought(host, runs, id)


def _matches(app: FastAPI, host: Host, matches: Matches) -> None:
    def found(id: str) -> wire.MatchState:
        if (state := matches.find(id)) is None:
            raise HTTPException(404, f"there is no match {id} on this server.")
        return state

    @app.get("/api/matches")
    async def all_matches() -> list[wire.MatchState]:
        """The matches since the server was started, the newest first."""
        return matches.all()

    @app.post("/api/matches", status_code=201, responses=WRONG)
    async def start(wanted: wire.NewMatch) -> wire.MatchState:
        """Two players, or checkpoints, against each other."""
        game = host.catalogue.game(wanted.game)
        texts = [specs.checked(player, game, host.checkpoint) for player in wanted.players]
        return matches.start(game, wanted.players, texts, wanted.games)

    @app.get("/api/matches/{id}", responses=WRONG)
    async def match(id: SessionId) -> wire.MatchState:
        """A match as far as it has got."""
        return found(id)

    @app.delete("/api/matches/{id}", status_code=204, responses=WRONG)
    async def stop(id: SessionId) -> None:
        """Stops a match; its games so far count."""
        found(id)
        matches.stop(id)


def _learn(app: FastAPI, host: Host) -> None:
    @app.post("/api/learn", responses=WRONG, response_model_exclude_unset=True)
    async def learn(wanted: wire.NewLesson) -> wire.Lesson:
        """The next simulation of a search, step by step."""
        game = host.catalogue.game(wanted.game)
        work: dict[str, Any] = {"kind": "lesson", "game": game.spec, "key": "lesson", "player": wanted.method}
        work |= {"start": wanted.start, "simulations": wanted.simulations, "method": wanted.method}
        found = await host.pool.answer("lesson", HINT, work | {"budget": LESSON_SECONDS})
        return wire.Lesson.model_validate(found)

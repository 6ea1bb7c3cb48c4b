"""The server as an ASGI application: what can be asked under /api, and the page itself."""

import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException

import sevenfold
from sevenfold.server import page, sockets, wire
from sevenfold.server.catalogue import Catalogue
from sevenfold.server.config import Config
from sevenfold.server.guard import Guard
from sevenfold.server.host import Host, Refused
from sevenfold.server.pool import Pool
from sevenfold.server.store import Store
from sevenfold.server.table import Table

SessionId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
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
    host = Host(config, catalogue, store, pool, _no_runs)

    @contextlib.asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        await pool.start()
        try:
            yield
        finally:
            await pool.close()
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
    _sessions(app, host)
    page.add(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, config=config)
    return app


def _no_runs(run: str, iteration: int) -> Any:
    raise ValueError(f"there is no run {run!r}.")


def _say_what_is_wrong(app: FastAPI) -> None:
    """Every error is one sentence."""

    def problem(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"sentence": sentence}, status)

    @app.exception_handler(RequestValidationError)
    async def not_as_declared(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
        message = str(first["msg"])
        return problem(422, f"{where} cannot be read: {message[:1].lower()}{message[1:]}."[:300])

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> JSONResponse:
        return problem(429, str(error))

    @app.exception_handler(ValueError)
    async def wrong(_: Request, error: ValueError) -> JSONResponse:
        return problem(400, str(error))

    @app.exception_handler(ImportError)
    async def missing(_: Request, error: ImportError) -> JSONResponse:
        return problem(400, str(error))

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"sentence": str(error.detail)}, error.status_code, headers=error.headers)


def _games(app: FastAPI, catalogue: Catalogue) -> None:
    @app.get("/api/games", response_model_exclude_unset=True)
    def games() -> list[wire.GameInfo]:
        """The games on offer."""
        return catalogue.infos


def _sessions(app: FastAPI, host: Host) -> None:
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
        if format != "jsonl":
            raise ValueError(f"records of {session.game.name} are saved as jsonl, not as {format!r}.")
        name = f"{session.game.name}-{session.id}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(session.record().to_line() + "\n", headers=headers)

    @app.websocket("/api/sessions/{id}/ws")
    async def talk(socket: WebSocket, id: str) -> None:
        if (table := host.find(id)) is None:
            await socket.accept()
            await socket.send_text(sockets.error(f"there is no game {id[:40]!r} on this server."))
            await socket.close(4404)
            return
        await sockets.serve(socket, table, host.config)

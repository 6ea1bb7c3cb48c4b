"""The verb `serve`: the page, in a browser on this machine."""

import contextlib
import ipaddress
import json
import os
import secrets
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from sevenfold.cli.base import Json, Language, app, complain, for_programs
from sevenfold.help_screen import Verb
from sevenfold.lang import t

INTERRUPTED = 130


@app.command(
    cls=Verb,
    help="Opens the page: play, analyse, review and watch training in a browser.",
    epilog="Example: sevenfold serve --open",
)
def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME…]", help="More games to offer: .py files, openspiel:NAME.", show_default=False),
    ] = None,
    host: Annotated[str, typer.Option(metavar="NAME", help="The address to answer on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="The port; 0: any free one.")] = 7077,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where games are kept; by default the user's data.", show_default=False),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where training runs are; by default DATA/runs.", show_default=False),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Opens the page in the browser.")] = False,
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="What everyone must know who asks; needed beyond this machine.",
                     show_default=False),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=256, help="Processes that think; by default one per core.",
                     show_default=False),
    ] = None,
    as_json: Json = False,
    language: Language = None,
) -> None:  # fmt: skip
    from sevenfold.server.config import Config, data_folder
    from sevenfold.server.guard import is_loopback

    try:
        import uvicorn

        from sevenfold.server.app import make_app
    except ImportError as error:
        raise ImportError(t("the page needs more packages: pip install 'sevenfold[serve]'.")) from error
    if not is_loopback(host):
        token = token or secrets.token_urlsafe(16)
        complain(t("warning: everyone on the network who knows the token can use this server."))
    listening = _listening(host, port)
    port = listening.getsockname()[1]
    config = Config(data or data_folder(), runs, host, port, token, workers, tuple(games or ()))
    application = make_app(config)
    here = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    address, *others = (
        f"http://{f'[{name}]' if ':' in name else name}:{port}/" + (f"?token={token}" if token else "")
        for name in (here, *(_own_addresses(listening.family) if here != host else ()))
    )
    if for_programs():
        print(json.dumps({"address": address, "others": others}), flush=True)
    else:
        print(t("The page is at {address} (Ctrl-C ends it).", address=address), flush=True)
        for other in others:
            print(t("For others on the network: {address}", address=other), flush=True)
    if open_page and _has_windows():
        webbrowser.open(address)
    settings = uvicorn.Config(
        application, log_level="warning", ws_max_size=config.message, ws_per_message_deflate=False,
        server_header=False, timeout_graceful_shutdown=2, lifespan="on",
    )  # fmt: skip
    try:
        uvicorn.Server(settings).run(sockets=[listening])
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


def _has_windows() -> bool:
    """Whether a browser can open beside the terminal, not in it."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _own_addresses(family: int) -> list[str]:
    """By which others on the network find this machine; nothing is sent to find out."""
    found = []
    anywhere = {socket.AF_INET: "10.255.255.255", socket.AF_INET6: "fd00::1"}
    for kind in [family] if family == socket.AF_INET else [socket.AF_INET, socket.AF_INET6]:
        with contextlib.suppress(OSError), socket.socket(kind, socket.SOCK_DGRAM) as asked:
            asked.connect((anywhere[socket.AddressFamily(kind)], 9))
            found.append(asked.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(one[4][0]) for one in socket.getaddrinfo(socket.gethostname(), None, family)]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback and "%" not in one]


def _listening(host: str, port: int) -> socket.socket:
    """The port, taken before anything else is done."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(where)
        listening.listen(512)
    except OSError as error:
        why = error.strerror or str(error)
        raise ValueError(
            t("cannot answer on {host}:{port} ({why}); name another by --port.", host=host, port=port, why=why)
        ) from None
    return listening

"""The door: who may ask, and how much.

- Host: a page of another site whose name was pointed at this machine (DNS rebinding) sends that name, and is refused.
- Origin: a page of another site sends its own, and is refused; programs send none.
- Token: needed where the server can be reached from other machines; by `?token=`, cookie or Authorization header.
- Size: a request's body is counted as it comes.
"""

import hmac
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.exceptions import HTTPException

from sevenfold.server.config import Config

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "sevenfold_token"
POLICY = "; ".join(
    (
        "default-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Whether a name means this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Middleware in front of everything."""

    def __init__(self, app: App, config: Config) -> None:
        self._app, self._config = app, config
        self._names = {"localhost", socket.gethostname().lower(), config.host.lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if scope["type"] == "http":
            by_hand = scope["method"] == "GET" and not scope["path"].startswith("/api/")
            if by_hand and self._config.token and "token" in dict(_query(scope)):
                await _welcome(scope, send, self._config.token)
                return
            await self._bounded(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._own_name(host):
            return 421, f"this server does not answer to the name {host[:80]!r}; open it by the address it has printed."
        origin = headers.get("origin")
        if origin is not None and _site(origin) != host.lower():
            return 403, "another site's page cannot use this server."
        if self._config.token and not self._has_token(scope, headers):
            return 401, "this server needs its token; open the address that it printed when it was started."
        return None

    def _own_name(self, host: str) -> bool:
        """Whether it was asked for by a name of this machine; the port may be that of a forwarder."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if is_loopback(name) or name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._config.token is not None  # a bare address cannot be rebound, and here a token is needed as well

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = [value for key, value in _query(scope) if key == "token"]
        given.append(headers.get("authorization", "").removeprefix("Bearer ").strip())
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        if cookie is not None:
            given.append(cookie.value)
        wanted = (self._config.token or "").encode()
        return any(hmac.compare_digest(one.encode(), wanted) for one in given)

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts the body, and adds the headers that every answer has."""
        got = 0

        async def counted() -> MutableMapping[str, Any]:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > self._config.body:
                raise HTTPException(413, f"a request can have at most {self._config.body} bytes.")
            return message

        async def headed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                there = {key.lower() for key, _ in message["headers"]}
                new = [(key.encode(), value.encode()) for key, value in HEADERS.items() if key.encode() not in there]
                message["headers"] = [*message["headers"], *new]
            await send(message)

        await self._app(scope, counted, headed)


def _site(origin: str) -> str | None:
    """The host and port of an Origin; None of one that cannot be read, such as "null" or half an IPv6 address."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _query(scope: Scope) -> list[tuple[str, str]]:
    return parse_qsl(scope.get("query_string", b"").decode("latin-1"), max_num_fields=None, keep_blank_values=True)[:50]


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": sentence[:120]})
        return
    body = json.dumps({"sentence": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(key.encode(), value.encode()) for key, value in HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _welcome(scope: Scope, send: Send, token: str) -> None:
    """Puts the token into a cookie, and takes it out of the address."""
    rest = urlencode([(key, value) for key, value in _query(scope) if key != "token"])
    target = "./" + (f"?{rest}" if rest else "")
    cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
    headers = [(b"location", target.encode()), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})

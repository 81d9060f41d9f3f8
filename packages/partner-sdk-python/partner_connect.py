"""Partner Connect for Python: connect shops, keep them connected, and read their survey responses.

One file, Python 3.9 or later, nothing but the standard library. README.md beside it begins with a first connection.

    partner_connect = PartnerConnect(base_url=..., client_id=..., client_secret=..., store=SqliteStore("connections.db"))
    url, pending = partner_connect.begin_authorization(redirect_uri=..., scope=["responses:read"])
    connection = partner_connect.complete_authorization(callback_url, pending)
    for response in partner_connect.shop(connection.id).list_responses():
        ...

Everything here may be used by several threads at once. Every error is a `PartnerConnectError` with a stable `code`; no message has
a token, a code or a secret in it. It is one file so that it can be copied into a project as it is.
"""

from __future__ import annotations

import base64
import calendar
import dataclasses
import hashlib
import hmac
import http.client
import json
import math
import os
import random
import re
import secrets
import sqlite3
import ssl
import threading
import time
import uuid
import weakref
import zlib
from collections import deque
from typing import (
    Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple,
    TypedDict, Union, cast,
)
from urllib.parse import parse_qs, urlencode, urlsplit

__version__ = "0.1.0"

# --- Errors ------------------------------------------------------------------------------------------------------------


class PartnerConnectError(Exception):
    """What all errors of this module are. `code` is stable; the text may change. Name `request_id` when you ask us."""

    code = "partner_connect_error"

    def __init__(self, message: str, request_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.request_id = request_id


class StateMismatch(PartnerConnectError):
    """The callback belongs to another attempt, or somebody made it up. Do nothing with it; begin a new authorization."""

    code = "state_mismatch"


class MissingVerifier(PartnerConnectError):
    """There is no `pending` for this callback, or it has no usable `code_verifier`: the session was lost. Begin again."""

    code = "missing_verifier"


class IssuerMismatch(PartnerConnectError):
    """The `iss` of the callback is missing or another server's (RFC 9207). The code is not ours, and is sent to nobody."""

    code = "issuer_mismatch"


class AuthorizationDenied(PartnerConnectError):
    """The merchant declined, or has no shop that can be connected. Offer to try again; don't begin by yourself."""

    code = "authorization_denied"


class AnswerLost(PartnerConnectError):
    """The answer with the tokens was lost on its way, and a code works once. Nothing was stored. Begin a new authorization."""

    code = "answer_lost"


class InvalidBaseUrl(PartnerConnectError):
    """The base URL is none, or plain http and not on this machine, so that secrets would be readable on their way."""

    code = "invalid_base_url"


class ReconnectRequired(PartnerConnectError):
    """The merchant must connect again: show a button that begins an authorization. Repeating the call changes nothing."""

    code = "reconnect_required"

    def __init__(self, connection_id: str, reason: str, request_id: Optional[str] = None) -> None:
        super().__init__(f"the merchant must connect again: {reason}", request_id)
        self.connection_id = connection_id
        #: `refresh token expired` or `grant revoked`, the two descriptions that are stable.
        self.reason = reason


class InvalidGrant(PartnerConnectError):
    """The code or the refresh token can't be used, for another reason than those of `ReconnectRequired`. Don't repeat it."""

    code = "invalid_grant"

    def __init__(self, connection_id: Optional[str], description: str, request_id: Optional[str] = None) -> None:
        what = "code" if connection_id is None else "refresh token"
        super().__init__(f"the {what} was refused: {description}", request_id)
        #: None where a code was refused.
        self.connection_id = connection_id


class InvalidClient(PartnerConnectError):
    """`client_id` and `client_secret` are not accepted: wrong, rotated, or the client is disabled. Connections live on."""

    code = "invalid_client"


class InvalidRequest(PartnerConnectError):
    """A mistake in the request. `param` names the parameter that is wrong, where one does. Repeating it changes nothing."""

    code = "invalid_request"

    def __init__(self, message: str, param: Optional[str] = None, request_id: Optional[str] = None) -> None:
        super().__init__(message, request_id)
        self.param = param


class TokenLimitReached(PartnerConnectError):
    """More connections want a token now than the limit of token calls allows. There is room in `retry_after_seconds`."""

    code = "token_limit_reached"

    def __init__(self, connection_id: Optional[str], retry_after_seconds: float) -> None:
        #: Whole seconds.
        self.retry_after_seconds = math.ceil(retry_after_seconds)
        super().__init__(f"the limit of token calls is reached; there is room in {self.retry_after_seconds} s")
        #: None for the exchange of a code.
        self.connection_id = connection_id


class UnknownConnection(PartnerConnectError):
    """The store has no connection with this id. It was disconnected, or never completed."""

    code = "unknown_connection"

    def __init__(self, connection_id: str) -> None:
        super().__init__("the store has no connection with this id")
        self.connection_id = connection_id


class Unauthorized(PartnerConnectError):
    """The API refuses the credential, also a new one: an API key that was revoked, or a clock that is wrong."""

    code = "unauthorized"


class Forbidden(PartnerConnectError):
    """The connection may not be used now, though its refresh token works."""

    code = "forbidden"


class InsufficientScope(PartnerConnectError):
    """The connection, the client or the shop's plan lacks the scope of this call. `scope` is what it needs."""

    code = "insufficient_scope"

    def __init__(self, scope: Optional[str], request_id: Optional[str] = None) -> None:
        super().__init__(f"the call needs {'another scope' if scope is None else f'the scope {scope}'}", request_id)
        self.scope = scope


class Unavailable(PartnerConnectError):
    """No answer, or one that says to come later, and the call was repeated as long as it may be. Never about your credentials."""

    code = "unavailable"

    def __init__(self, message: str, retry_after_seconds: float, request_id: Optional[str] = None) -> None:
        super().__init__(message, request_id)
        self.retry_after_seconds = retry_after_seconds


class StoreFailed(PartnerConnectError):
    """Your store failed; `__cause__` is what it raised. What it held before, it still holds: repeat the call."""

    code = "store_failed"


# --- Records -----------------------------------------------------------------------------------------------------------


class Response(TypedDict, total=False):
    """A customer's survey response. More fields may come. What each means is in the reference at `{base_url}/docs`."""

    id: str
    inserted_at: str
    updated_at: str
    response_provided_at: Optional[str]
    question_id: Optional[int]
    question: Optional[str]
    question_type: Optional[str]
    response: Optional[str]
    response_id: Optional[int]
    response_position: Optional[int]
    other: Optional[bool]
    other_response: Optional[str]
    original_response: Optional[str]
    clarification_question: Union[bool, str, None]
    referring_question: Optional[str]
    referring_question_id: Optional[int]
    referring_question_response: Optional[str]
    referring_question_response_id: Optional[int]
    submit_delta: Optional[int]
    customer_id: Optional[str]
    customer_order_count: Optional[int]
    email: Optional[str]
    order_id: Optional[str]
    order_number: Optional[str]
    order_platform: Optional[str]
    order_source: Optional[str]
    order_currency_code: Optional[str]
    order_total: Optional[str]
    order_total_usd: Optional[str]
    coupon_code: Optional[str]
    coupon_type: Optional[str]
    coupon_amount: Optional[str]
    landing_page_path: Optional[str]
    referring_site: Optional[str]
    utm_campaign: Optional[str]
    utm_content: Optional[str]
    utm_medium: Optional[str]
    utm_source: Optional[str]
    utm_term: Optional[str]


class DeletedResponse(TypedDict):
    """A response that the shop has deleted, and has not brought back since."""

    id: str
    deleted_at: str


class QuestionOption(TypedDict, total=False):
    id: Optional[int]
    value: str
    clarification_question: Union[bool, str, None]


class Question(TypedDict, total=False):
    id: int
    prompt: str
    type: Optional[str]
    submit_text: Optional[str]
    allow_other: Optional[bool]
    other_placeholder: Optional[str]
    randomize_responses: Optional[bool]
    max_responses: Optional[int]
    customer_type: Optional[str]
    frequency_type: Optional[str]
    published_at: Optional[str]
    inserted_at: str
    updated_at: str
    responses: List[QuestionOption]


class Source(TypedDict, total=False):
    """An attribution source."""

    id: str
    name: str
    type: str
    external_id: Optional[str]
    url: Optional[str]
    aliases: List[str]
    inserted_at: str
    updated_at: str


class Shop(TypedDict, total=False):
    id: str
    name: str
    domain: Optional[str]
    plan: str


class Connection(TypedDict, total=False):
    """For whom a credential speaks. With an API key, `id`, `client_id` and the times are None."""

    id: Optional[str]
    shop: Shop
    client_id: Optional[str]
    #: Space-delimited: what calls may use now.
    scope: str
    connected_at: Optional[str]
    last_used_at: Optional[str]
    expires_at: Optional[str]


class PendingAuthorization(TypedDict):
    """An authorization that has begun. Plain JSON: keep it in the user's session, on your side, until the browser is back."""

    state: str
    code_verifier: str
    redirect_uri: str
    started_at: str


class Authorization(NamedTuple):
    """Where to send the merchant's browser, and what to keep meanwhile."""

    url: str
    pending: PendingAuthorization


@dataclasses.dataclass(frozen=True)
class ConnectedShop:
    """A shop as it was when it was connected. `shop.connection()` has its name and plan as they are now."""

    id: str
    name: str
    domain: Optional[str]
    plan: str


@dataclasses.dataclass(frozen=True)
class StoredConnection:
    """A connection as the store keeps it. `refresh_token` is a secret: it opens the shop's data."""

    id: str
    shop: ConnectedShop
    #: Space-delimited: what was granted, which may be less than you asked for.
    scope: str
    refresh_token: str = dataclasses.field(repr=False)
    connected_at: str

    def to_json(self) -> str:
        shop = dataclasses.asdict(self.shop)
        secret = {"refreshToken": self.refresh_token, "connectedAt": self.connected_at}
        return json.dumps({"id": self.id, "shop": shop, "scope": self.scope, **secret})

    @staticmethod
    def from_json(text: str) -> "StoredConnection":
        value = json.loads(text)
        shop = value["shop"]
        connected = ConnectedShop(shop["id"], shop["name"], shop.get("domain"), shop["plan"])
        return StoredConnection(value["id"], connected, value["scope"], value["refreshToken"], value["connectedAt"])


class StoredAccessToken(TypedDict):
    """An access token as the store may keep it, beside the connection. Plain JSON, and a secret for as long as it lives."""

    connectionId: str
    accessToken: str
    #: The digest of the refresh token that it was got with.
    refreshTokenDigest: str
    #: RFC 3339, as `expiresAt`.
    renewAt: str
    expiresAt: str


class SyncBatch(NamedTuple):
    """Apply all of it in one transaction of yours, in this order: if `reset`, empty the copy; put `responses`, each in the place of
    the one with its id; delete `deleted_ids`; keep `state`.
    """

    responses: List[Response]
    deleted_ids: List[str]
    #: Plain JSON. Pass it to the next `sync_responses`.
    state: Dict[str, Any]
    #: A full copy begins here: what the mirror holds of this shop may have been deleted long ago.
    reset: bool


# --- Stores ------------------------------------------------------------------------------------------------------------


class ConnectionStore(Protocol):
    """Where you keep connections: a table of yours, keyed by the connection's id. A shop that connects again has the same id.

    With two methods more, `get_access_token(connection_id)` and `put_access_token(token)`, of `StoredAccessToken`, your processes share
    access tokens, so that each of them doesn't call the token endpoint for itself. Have them where many processes run, or short ones.
    """

    def get(self, id: str) -> Optional[StoredConnection]: ...

    def put(self, connection: StoredConnection) -> None:
        """Stores all of it in the place of what was there, or raises and leaves what was there."""

    def delete(self, id: str) -> None: ...

    def list(self) -> Iterable[StoredConnection]: ...


class MemoryStore:
    """Connections that end with the process. For tests and first steps."""

    def __init__(self) -> None:
        self._connections: Dict[str, StoredConnection] = {}

    def get(self, id: str) -> Optional[StoredConnection]:
        return self._connections.get(id)

    def put(self, connection: StoredConnection) -> None:
        self._connections[connection.id] = connection

    def delete(self, id: str) -> None:
        self._connections.pop(id, None)

    def list(self) -> Iterable[StoredConnection]:
        return tuple(self._connections.values())


class SqliteStore:
    """Connections in a SQLite file that several threads and processes may share, and with it the access tokens; programs with the
    TypeScript SDK too.

    It holds tokens in clear: a file that it makes can be read by its owner alone.
    """

    _TABLES = (
        "CREATE TABLE IF NOT EXISTS partner_connect_connections (id TEXT PRIMARY KEY, connection TEXT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS partner_connect_access_tokens (id TEXT PRIMARY KEY, token TEXT NOT NULL)",
    )

    def __init__(self, path: str) -> None:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, timeout=10, check_same_thread=False, isolation_level=None)
        for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", *self._TABLES):
            self._run(statement)

    def _run(self, statement: str, *values: str) -> List[Tuple[str]]:
        with self._lock:
            return self._database.execute(statement, values).fetchall()

    def get(self, id: str) -> Optional[StoredConnection]:
        rows = self._run("SELECT connection FROM partner_connect_connections WHERE id = ?", id)
        return StoredConnection.from_json(rows[0][0]) if rows else None

    def put(self, connection: StoredConnection) -> None:
        statement = "INSERT OR REPLACE INTO partner_connect_connections (id, connection) VALUES (?, ?)"
        self._run(statement, connection.id, connection.to_json())

    def delete(self, id: str) -> None:
        self._run("DELETE FROM partner_connect_access_tokens WHERE id = ?", id)
        self._run("DELETE FROM partner_connect_connections WHERE id = ?", id)

    def list(self) -> Iterable[StoredConnection]:
        rows = self._run("SELECT connection FROM partner_connect_connections ORDER BY id")
        return [StoredConnection.from_json(text) for (text,) in rows]

    def get_access_token(self, connection_id: str) -> Optional[StoredAccessToken]:
        rows = self._run("SELECT token FROM partner_connect_access_tokens WHERE id = ?", connection_id)
        return cast(StoredAccessToken, json.loads(rows[0][0])) if rows else None

    def put_access_token(self, token: StoredAccessToken) -> None:
        statement = "INSERT OR REPLACE INTO partner_connect_access_tokens (id, token) VALUES (?, ?)"
        self._run(statement, token["connectionId"], json.dumps(token))

    def close(self) -> None:
        with self._lock:
            self._database.close()


# --- Time --------------------------------------------------------------------------------------------------------------


class Clock:
    """Time, in seconds since 1970. Tests give their own."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def _rfc3339(seconds: float) -> str:
    whole = int(seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{int((seconds - whole) * 1000):03d}Z"


def _seconds(rfc3339: str) -> float:
    return calendar.timegm(time.strptime(rfc3339[:19], "%Y-%m-%dT%H:%M:%S"))


# --- HTTP --------------------------------------------------------------------------------------------------------------


class _NoAnswer(Exception):
    """No answer came, or not all of it. Whether the request was carried out is not known."""


class _Answer:
    """An answer whose status and headers have come. Its body is read once, by `body` or by `pieces`."""

    def __init__(self, answer: http.client.HTTPResponse, done: Callable[[bool], None]) -> None:
        self.status = answer.status
        self._answer = answer
        self._done = done

    def header(self, name: str) -> Optional[str]:
        return self._answer.getheader(name)

    @property
    def request_id(self) -> Optional[str]:
        return self.header("x-request-id")

    def body(self) -> bytes:
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """The body, decompressed, as it comes. @raises _NoAnswer where it breaks off"""
        compressed = self.header("content-encoding") == "gzip"
        inflate = zlib.decompressobj(31) if compressed else None
        complete = False
        try:
            while True:
                # `read` would wait for all of the 64 KB, and lose them where a chunked answer breaks off.
                piece = self._answer.read1(65536) if self._answer.chunked else self._answer.read(65536)
                if not piece:
                    break
                yield inflate.decompress(piece) if inflate else piece
            if inflate and not inflate.eof:
                raise _NoAnswer("the answer broke off")
            # Of an answer with a length, http.client takes the end of the connection for the end of the answer.
            if self._answer.length:
                raise _NoAnswer("the answer broke off")
            complete = True
        except (OSError, http.client.HTTPException, zlib.error) as error:
            raise _NoAnswer("the answer broke off") from error
        finally:
            self._answer.close()
            self._done(complete)

    def json(self) -> Any:
        body = self.body()
        try:
            return json.loads(body)
        except ValueError:
            # Also what a proxy between us says in its own words.
            return None


_LOOPBACK = re.compile(r"^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$")


class _Origin:
    """Requests to one origin, over connections that are kept for the next one. No redirect is followed."""

    def __init__(self, url: str, timeout: float) -> None:
        try:
            parts = urlsplit(url)
            self._host, self._port = parts.hostname, parts.port
        except ValueError:
            raise InvalidBaseUrl("the base URL can't be read") from None
        if parts.scheme not in ("https", "http") or not self._host:
            raise InvalidBaseUrl("the base URL must begin with https://")
        if parts.query or parts.fragment or parts.username is not None or parts.password is not None:
            raise InvalidBaseUrl("the base URL has a user, a query or a fragment")
        if parts.scheme == "http" and not _LOOPBACK.match(self._host):
            raise InvalidBaseUrl("the base URL must be https: plain http is for this machine alone (localhost, 127.0.0.1)")
        self._path = parts.path.rstrip("/")
        self.url = f"{parts.scheme}://{parts.netloc.lower()}{self._path}"
        self._timeout = timeout
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._idle: List[Tuple[float, http.client.HTTPConnection]] = []
        weakref.finalize(self, _close_all, self._idle)

    def _take(self) -> Optional[http.client.HTTPConnection]:
        with self._lock:
            if self._process != os.getpid():
                # A fork: the sockets are the parent's.
                self._process = os.getpid()
                _close_all(self._idle)
            while self._idle:
                since, connection = self._idle.pop()
                if time.monotonic() - since < 20:
                    return connection
                connection.close()
        return None

    def _give_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if connection.sock is not None and len(self._idle) < 16:
                self._idle.append((time.monotonic(), connection))
            else:
                connection.close()

    def _new_connection(self) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(str(self._host), self._port, timeout=self._timeout)
        return http.client.HTTPSConnection(str(self._host), self._port, timeout=self._timeout, context=self._tls)

    def send(self, method: str, path: str, headers: Mapping[str, str], body: Optional[bytes] = None) -> _Answer:
        """@raises _NoAnswer"""
        kept = self._take()
        try:
            return self._send_on(kept or self._new_connection(), method, path, headers, body)
        except _NoAnswer as error:
            # The server may end an idle connection at any time. What is sent here may be sent twice.
            if kept is None or not isinstance(error.__cause__, (ConnectionError, http.client.BadStatusLine)):
                raise
        return self._send_on(self._new_connection(), method, path, headers, body)

    def _send_on(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
    ) -> _Answer:
        common = {"User-Agent": f"partner-connect-python/{__version__}", "Accept-Encoding": "gzip"}
        try:
            connection.request(method, self._path + path, body, {**common, **headers})
            answer = connection.getresponse()
        except ssl.SSLCertVerificationError as error:
            connection.close()
            raise Unavailable("the server's certificate can't be verified", 60) from error
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise _NoAnswer(f"no answer: {type(error).__name__}") from error

        def done(complete: bool) -> None:
            if complete and not answer.will_close:
                self._give_back(connection)
            else:
                connection.close()

        return _Answer(answer, done)


def _close_all(idle: List[Tuple[float, http.client.HTTPConnection]]) -> None:
    while idle:
        idle.pop()[1].close()


class _Patience:
    """How long a call may be repeated. After a fault it waits as long as it was told, else longer each time."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock = clock
        self._end = clock.now() + seconds
        self._attempts = 0

    @property
    def left(self) -> float:
        return max(0.0, self._end - self._clock.now())

    def wait(self, problem: str, told: Optional[float] = None, request_id: Optional[str] = None) -> None:
        """@raises Unavailable when the wait would be too long"""
        self._attempts += 1
        by_ourselves = min(8.0, 0.1 * 2 ** min(self._attempts, 7)) * random.uniform(0.5, 1)
        seconds = by_ourselves if told is None else told
        if seconds > self.left:
            raise Unavailable(problem, seconds, request_id)
        self._clock.sleep(seconds)


def _retry_after(answer: _Answer) -> Optional[float]:
    told = answer.header("retry-after")
    return float(told) if told is not None and re.match(r"^\d{1,6}$", told) else None


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode("ascii")


def _text(document: Any, name: str) -> str:
    value = document.get(name) if isinstance(document, dict) else None
    return value if isinstance(value, str) else ""


# --- Tokens ------------------------------------------------------------------------------------------------------------

_RECONNECT_REASONS = ("refresh token expired", "grant revoked")

#: Refresh this long before an access token ends.
_EARLY_SECONDS = 60.0

#: A refused refresh token is not sent in a loop. An operator's hold, which may end, is refused in the same words as a revocation.
_DEAD_SECONDS = 900.0

#: The limit counts a minute. A call may take longer to arrive than the one before it.
_WINDOW_SECONDS = 61.0


class TokenCallPlan(NamedTuple):
    #: Calls a minute that it takes to have a token for every connection at every moment.
    calls_per_minute: float
    #: How many connections can have a token at every moment.
    always_live: int
    #: Whether all of them can.
    fits: bool
    #: How often a connection can have a new token: read each shop once in this time, in turn, and none is refused.
    seconds_between_tokens: int
    #: How many addresses of yours it takes, each with the limit, for all of them to fit.
    addresses: int


def plan_token_calls(
    connections: int, *, token_calls_per_minute: int = 10, access_token_seconds: int = 900
) -> TokenCallPlan:
    """What a limit of token calls means for a number of connections. An access token is renewed a minute before its end."""
    used = access_token_seconds - min(_EARLY_SECONDS, access_token_seconds / 2)
    always_live = int(used / 60 * token_calls_per_minute)
    return TokenCallPlan(
        calls_per_minute=connections * 60 / used,
        always_live=always_live,
        fits=connections <= always_live,
        seconds_between_tokens=math.ceil(max(used, connections * 60 / token_calls_per_minute)),
        addresses=max(1, math.ceil(connections / max(1, always_live))),
    )


class _TokenCalls:
    """Turns at the token endpoint, so that its limit is never met: in the order of asking, but a merchant who waits goes first."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        #: When each of the last calls was made.
        self._made: Deque[float] = deque(maxlen=per_minute)
        self._waiting: List[object] = []
        self._paused_until = 0.0

    def wait_for_turn(self, connection_id: Optional[str], patience: float) -> None:
        """@raises TokenLimitReached at once, when the turn would come later than `patience` seconds from now"""
        ticket = object()
        with self._lock:
            place = 0 if connection_id is None else len(self._waiting)
            wait = self._wait_at(place, self._clock.now())
            if wait > patience:
                raise TokenLimitReached(connection_id, wait)
            self._waiting.insert(place, ticket)
        try:
            while not self._takes_turn(ticket):
                with self._lock:
                    wait = self._wait_at(self._waiting.index(ticket), self._clock.now())
                self._clock.sleep(max(wait, 0.01))
        finally:
            with self._lock:
                if ticket in self._waiting:
                    self._waiting.remove(ticket)

    def pause(self, seconds: float) -> None:
        """The endpoint has said that everybody has to wait."""
        with self._lock:
            self._paused_until = max(self._paused_until, self._clock.now() + seconds)

    def _takes_turn(self, ticket: object) -> bool:
        with self._lock:
            now = self._clock.now()
            if self._waiting[0] is not ticket or self._wait_at(0, now) > 0:
                return False
            self._waiting.pop(0)
            self._made.append(now)
            return True

    def _wait_at(self, place: int, now: float) -> float:
        """How long the caller waits that has `place` others before it."""
        at_once = int(self._made.maxlen or 1)
        rounds, place = divmod(place, at_once)
        full = len(self._made) - (at_once - place - 1)
        start = self._made[full - 1] + _WINDOW_SECONDS if full > 0 else now
        return max(start - now, self._paused_until - now, 0.0) + rounds * _WINDOW_SECONDS


class _TokenEndpoint:
    def __init__(self, origin: _Origin, client_id: str, client_secret: str, calls: _TokenCalls, clock: Clock) -> None:
        self._origin = origin
        # RFC 6749 §2.3.1 wants them percent-encoded; ours have no character that this would change.
        basic = base64.b64encode(f"{client_id}:{client_secret}".encode()).decode("ascii")
        self._headers = {
            "Authorization": f"Basic {basic}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        self._calls = calls
        self._clock = clock

    def call(
        self, fields: Mapping[str, str], connection_id: Optional[str], patience: float
    ) -> Tuple[Dict[str, Any], "_AccessToken"]:
        """The answer that has the tokens, and its access token. Faults and 429 are waited for; `connection_id` is None for a code."""
        waiting = _Patience(self._clock, patience)
        body = urlencode(fields).encode("ascii")
        was_lost = False
        while True:
            self._calls.wait_for_turn(connection_id, waiting.left)
            asked_at = self._clock.now()
            try:
                answer = self._origin.send("POST", "/oauth/api/token", self._headers, body)
                document = answer.json()
            except _NoAnswer as error:
                was_lost = True
                waiting.wait(f"the token endpoint can't be reached: {error}")
                continue
            told, request_id = _retry_after(answer), answer.request_id
            if answer.status == 200 and _text(document, "access_token"):
                return document, _access_token(document, asked_at)
            if answer.status == 429:
                self._calls.pause(60.0 if told is None else told)
            elif answer.status == 200 or answer.status >= 500:
                # Whether it was carried out can't be known.
                was_lost = True
                waiting.wait(f"the token endpoint answered {answer.status}", told, request_id)
            else:
                raise self._refusal(answer.status, document, connection_id, was_lost, request_id)

    @staticmethod
    def _refusal(
        status: int, document: Any, connection_id: Optional[str], was_lost: bool, request_id: Optional[str]
    ) -> PartnerConnectError:
        error, description = _text(document, "error"), _text(document, "error_description")
        if error == "invalid_client":
            return InvalidClient("client_id and client_secret were not accepted", request_id)
        if error == "invalid_grant" and connection_id is not None and description in _RECONNECT_REASONS:
            return ReconnectRequired(connection_id, description, request_id)
        if error == "invalid_grant" and connection_id is None and was_lost:
            return AnswerLost("the answer with the tokens was lost; begin a new authorization", request_id)
        if error == "invalid_grant":
            return InvalidGrant(connection_id, description, request_id)
        return InvalidRequest(f"the token endpoint answered {status} {error}: {description}", None, request_id)


class _AccessToken(NamedTuple):
    text: str
    renew_at: float
    expires_at: float


def _access_token(tokens: Mapping[str, Any], asked_at: float) -> _AccessToken:
    """Its life is counted from before it was asked for: it ends here no later than on the server."""
    told = tokens.get("expires_in")
    life = float(told) if isinstance(told, (int, float)) else 60.0
    expires_at = asked_at + life
    return _AccessToken(str(tokens["access_token"]), expires_at - min(_EARLY_SECONDS, life / 2), expires_at)


class _SharedTokens:
    """Access tokens in the store, for other processes. While the store fails, each process gets its own."""

    def __init__(self, store: ConnectionStore) -> None:
        self._get = getattr(store, "get_access_token", None)
        self._put = getattr(store, "put_access_token", None)

    def get(self, connection: StoredConnection) -> Optional[_AccessToken]:
        try:
            stored = self._get(connection.id) if self._get else None
            # Another refresh token was of another approval, with another scope.
            if stored is None or stored["refreshTokenDigest"] != _digest(connection.refresh_token):
                return None
            return _AccessToken(stored["accessToken"], _seconds(stored["renewAt"]), _seconds(stored["expiresAt"]))
        except Exception:
            return None

    def put(self, connection: StoredConnection, token: _AccessToken) -> None:
        stored: StoredAccessToken = {
            "connectionId": connection.id,
            "accessToken": token.text,
            "refreshTokenDigest": _digest(connection.refresh_token),
            "renewAt": _rfc3339(token.renew_at),
            "expiresAt": _rfc3339(token.expires_at),
        }
        try:
            if self._put:
                self._put(stored)
        except Exception:
            # The next process gets a token of its own.
            pass


class _ConnectionToken:
    """The access token of one connection. One refresh at a time: threads that ask meanwhile get its result."""

    def __init__(self, client: "PartnerConnect", connection_id: str) -> None:
        self._client = client
        self._connection_id = connection_id
        self._lock = threading.Lock()
        self._token: Optional[_AccessToken] = None
        #: When an early refresh may be tried again, after one that failed.
        self._early_from = 0.0
        #: The refresh token that was refused, why, and until when it is not sent again.
        self._dead: Optional[Tuple[str, PartnerConnectError, float]] = None
        #: What the API refuses, wherever it is kept.
        self._refused = ""

    def authorization(self) -> str:
        token = self._token
        if token is None or token.renew_at <= self._client.clock.now():
            with self._lock:
                token = self._current()
        return f"Bearer {token.text}"

    def refused(self, authorization: str) -> bool:
        with self._lock:
            self._refused = authorization
            if self._token is not None and authorization == f"Bearer {self._token.text}":
                self._token = None
        return True

    def adopt(self, connection: StoredConnection, token: _AccessToken) -> None:
        """The connection was made, or made again: this is its token now."""
        with self._lock:
            self._token, self._dead = token, None
            self._client.shared_tokens.put(connection, token)

    def _current(self) -> _AccessToken:
        now = self._client.clock.now()
        token = self._token
        if token is None or token.expires_at - now <= 1:
            token = self._renew(self._client.patience_seconds)
        elif token.renew_at <= now and self._early_from <= now:
            try:
                token = self._renew(0)
            except (ReconnectRequired, InvalidGrant):
                raise
            except PartnerConnectError:
                # There is time: the token that is there works for some seconds more.
                self._early_from = now + 10
        self._token = token
        return token

    def _renew(self, patience: float) -> _AccessToken:
        connection = self._client.stored(self._connection_id)
        shared = self._client.shared_tokens.get(connection)
        if shared and shared.renew_at > self._client.clock.now() and self._refused != f"Bearer {shared.text}":
            return shared
        while True:
            now = self._client.clock.now()
            if self._dead is not None and self._dead[0] == connection.refresh_token and now < self._dead[2]:
                # Not the same exception again: it would collect the traceback of each time.
                raise _again(self._dead[1])
            try:
                token = self._client.refresh(connection, patience)
                self._client.shared_tokens.put(connection, token)
                return token
            except (ReconnectRequired, InvalidGrant) as error:
                self._dead = (connection.refresh_token, error, now + _DEAD_SECONDS)
                newer = self._client.stored(self._connection_id)
                if newer.refresh_token == connection.refresh_token:
                    raise
                # The merchant has connected again meanwhile.
                connection = newer


def _again(error: PartnerConnectError) -> PartnerConnectError:
    copy = type(error).__new__(type(error))
    copy.__dict__.update(error.__dict__)
    copy.args = error.args
    return copy


class Credential(Protocol):
    """What a shop's client calls the API with."""

    def authorization(self) -> str:
        """The value of the `Authorization` header."""

    def refused(self, authorization: str) -> bool:
        """The API refused this header with 401 or 403 `forbidden`. True if the next one is a new one."""


class _FixedCredential:
    def __init__(self, authorization: str) -> None:
        self._authorization = authorization

    def authorization(self) -> str:
        return self._authorization

    def refused(self, authorization: str) -> bool:
        return False


# --- The client --------------------------------------------------------------------------------------------------------


class PartnerConnect:
    """Your client: it connects shops, keeps their tokens, and gives each shop's `ShopClient`. Make one for the whole process.

    :param base_url: the address that you were given; https, or http on this machine
    :param store: where connections are kept
    :param api_url: the API's address, if it is another one
    :param issuer: the issuer in the server's metadata, if it is not `base_url`
    :param token_calls_per_minute: the limit of your address; give each process its share
    :param patience_seconds: how long a call is repeated after faults and 429 before it raises
    :param timeout_seconds: how long the network may be silent
    """

    def __init__(
        self,
        *,
        base_url: str,
        client_id: str,
        client_secret: str,
        store: ConnectionStore,
        api_url: Optional[str] = None,
        issuer: Optional[str] = None,
        token_calls_per_minute: int = 10,
        patience_seconds: float = 60,
        timeout_seconds: float = 30,
        clock: Optional[Clock] = None,
    ) -> None:
        self.clock = clock or Clock()
        self.patience_seconds = patience_seconds
        self._oauth = _Origin(base_url, timeout_seconds)
        self._api = self._oauth if api_url is None else _Origin(api_url, timeout_seconds)
        self._issuer = self._oauth.url if issuer is None else issuer
        self._client_id = client_id
        self._store = store
        calls = _TokenCalls(token_calls_per_minute, self.clock)
        self._tokens = _TokenEndpoint(self._oauth, client_id, client_secret, calls, self.clock)
        self.shared_tokens = _SharedTokens(store)
        self._lock = threading.Lock()
        self._sources: Dict[str, _ConnectionToken] = {}
        #: The exchanges of the last ten minutes, by the verifier's digest: what follows them may be repeated.
        self._exchanges: Dict[str, _Exchange] = {}

    def __repr__(self) -> str:
        return f"PartnerConnect(base_url={self._oauth.url!r}, client_id={self._client_id!r})"

    def begin_authorization(self, *, redirect_uri: str, scope: Sequence[str]) -> Authorization:
        """The link to send the merchant's browser to, with a state and a PKCE challenge of its own."""
        if isinstance(scope, str) or not scope or any(not name or re.search(r"\s", name) for name in scope):
            raise InvalidRequest("scope must be a list with at least one name", "scope")
        code_verifier = secrets.token_urlsafe(32)
        pending: PendingAuthorization = {
            "state": secrets.token_urlsafe(24),
            "code_verifier": code_verifier,
            "redirect_uri": redirect_uri,
            "started_at": _rfc3339(self.clock.now()),
        }
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(scope),
            "state": pending["state"],
            "code_challenge": _digest(code_verifier),
            "code_challenge_method": "S256",
        }
        return Authorization(f"{self._oauth.url}/oauth/api/authorize?{urlencode(query)}", pending)

    def complete_authorization(
        self, callback_url: str, pending: Optional[Mapping[str, Any]]
    ) -> StoredConnection:
        """Checks the callback, exchanges its code, asks which shop it is, and stores the connection before it returns.

        After `Unavailable` or `StoreFailed` the same call again goes on where it was.
        """
        verifier = _text(pending, "code_verifier")
        if not re.match(r"^[A-Za-z0-9._~-]{43,128}$", verifier) or not _text(pending, "state"):
            raise MissingVerifier("there is no pending authorization for this callback; begin again")
        try:
            sent = parse_qs(urlsplit(callback_url).query, keep_blank_values=True)
        except ValueError:
            sent = {}

        def value(name: str) -> str:
            values = sent.get(name, [])
            return values[0] if len(values) == 1 else ""

        if not hmac.compare_digest(value("state").encode(), _text(pending, "state").encode()):
            raise StateMismatch("the callback's state is not the one of this attempt")
        if value("iss") != self._issuer:
            raise IssuerMismatch("the callback's iss is not this server")
        if value("error") == "access_denied":
            raise AuthorizationDenied("the merchant declined")
        if "error" in sent:
            raise InvalidRequest(f"the authorization was refused: {value('error_description') or value('error')}")
        if not value("code"):
            raise InvalidRequest("the callback has neither a code nor an error", "code")
        exchange = self._exchange_of(verifier)
        with exchange.lock:
            if exchange.connection is None:
                self._complete(exchange, value("code"), _text(pending, "redirect_uri"), verifier)
        assert exchange.connection is not None
        return exchange.connection

    def _exchange_of(self, verifier: str) -> "_Exchange":
        key = _digest(verifier)
        with self._lock:
            now = self.clock.now()
            # A code lives five minutes; a caller that repeats the call does so at once.
            for old in [key for key, exchange in self._exchanges.items() if exchange.made_at < now - 600]:
                del self._exchanges[old]
            return self._exchanges.setdefault(key, _Exchange(now))

    def _complete(self, exchange: "_Exchange", code: str, redirect_uri: str, verifier: str) -> None:
        if exchange.tokens is None:
            fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
            # A replay is harmless for a minute after the exchange. Later it would end the connection.
            patience = min(self.patience_seconds, 45)
            exchange.tokens, exchange.token = self._tokens.call({**fields, "code_verifier": verifier}, None, patience)
        tokens, token = exchange.tokens, exchange.token
        assert token is not None
        credential = _FixedCredential(f"Bearer {token.text}")
        described = ShopClient(self._api, credential, self.clock, self.patience_seconds).connection()
        if described.get("id") is None or not _text(tokens, "refresh_token"):
            raise Unavailable("the server did not say which connection this is", 1)
        shop = described["shop"]
        connection = StoredConnection(
            id=str(described["id"]),
            shop=ConnectedShop(shop["id"], shop["name"], shop.get("domain"), shop["plan"]),
            scope=_text(tokens, "scope"),
            refresh_token=_text(tokens, "refresh_token"),
            connected_at=described["connected_at"] or _rfc3339(self.clock.now()),
        )
        try:
            self._store.put(connection)
        except Exception as error:
            raise StoreFailed("the store could not keep the connection; repeat the call") from error
        exchange.connection, exchange.tokens = connection, None
        self._source(connection.id).adopt(connection, token)

    def shop(self, connection_id: str) -> "ShopClient":
        """The API for the shop of a stored connection."""
        return ShopClient(self._api, self._source(connection_id), self.clock, self.patience_seconds)

    def _source(self, connection_id: str) -> _ConnectionToken:
        with self._lock:
            return self._sources.setdefault(connection_id, _ConnectionToken(self, connection_id))

    def stored(self, connection_id: str) -> StoredConnection:
        """@raises StoreFailed, UnknownConnection"""
        try:
            connection = self._store.get(connection_id)
        except Exception as error:
            raise StoreFailed("the store could not be read; repeat the call") from error
        if connection is None:
            raise UnknownConnection(connection_id)
        return connection

    def refresh(self, connection: StoredConnection, patience: float) -> _AccessToken:
        """A new access token of this connection. `ShopClient` has it called when one is needed."""
        fields = {"grant_type": "refresh_token", "refresh_token": connection.refresh_token}
        return self._tokens.call(fields, connection.id, patience)[1]

    def connections(self) -> Iterator[StoredConnection]:
        """What is in the store. @raises StoreFailed"""
        try:
            yield from self._store.list()
        except Exception as error:
            raise StoreFailed("the store could not be read; repeat the call") from error

    def forget(self, connection_id: str) -> None:
        """Ends a connection on your side: its refresh token is deleted from the store, and lapses after 30 days. Delete the shop's data too.

        The merchant ends it at once at 'Connected apps'. @raises StoreFailed
        """
        try:
            self._store.delete(connection_id)
        except Exception as error:
            raise StoreFailed("the store could not delete the connection; repeat the call") from error
        with self._lock:
            self._sources.pop(connection_id, None)


class _Exchange:
    """What is known of one authorization's exchange. A double submit waits for the first and gets its connection."""

    def __init__(self, made_at: float) -> None:
        self.made_at = made_at
        self.lock = threading.Lock()
        self.tokens: Optional[Dict[str, Any]] = None
        self.token: Optional[_AccessToken] = None
        self.connection: Optional[StoredConnection] = None


def shop_with_api_key(
    *,
    base_url: str,
    api_key: str,
    patience_seconds: float = 60,
    timeout_seconds: float = 30,
    clock: Optional[Clock] = None,
) -> "ShopClient":
    """The API for the shop that the key belongs to."""
    if not re.match(r"^[\x21-\x7e]+\Z", api_key):
        raise InvalidRequest("the API key is empty, or has a space or a line break in it")
    origin = _Origin(base_url, timeout_seconds)
    return ShopClient(origin, _FixedCredential(api_key), clock or Clock(), patience_seconds)


# --- A shop's data -----------------------------------------------------------------------------------------------------


class ShopClient:
    """Reads and writes one shop's data. Calls are repeated after faults and 429, and after 401 with a new access token."""

    def __init__(self, origin: _Origin, credential: Credential, clock: Clock, patience_seconds: float) -> None:
        self._origin = origin
        self._credential = credential
        self._clock = clock
        self._patience_seconds = patience_seconds

    def __repr__(self) -> str:
        return f"ShopClient(base_url={self._origin.url!r})"

    def connection(self) -> Connection:
        """For whom this credential speaks."""
        return cast(Connection, self._json("GET", "/api/connection"))

    def list_responses(
        self,
        *,
        sort: Optional[str] = None,
        limit: int = 1000,
        starting_after: Optional[str] = None,
        cursor_time: Optional[str] = None,
        inserted_at_min: Optional[str] = None,
        inserted_at_max: Optional[str] = None,
        updated_at_min: Optional[str] = None,
        updated_at_max: Optional[str] = None,
    ) -> Iterator[Response]:
        """Every response that matches, page after page of `limit`.

        `cursor_time` goes beside `starting_after`: the time of that record by which you sort, as it was shown.
        """
        query = _given(
            sort=sort, limit=limit, starting_after=starting_after, cursor_time=cursor_time,
            inserted_at_min=inserted_at_min, inserted_at_max=inserted_at_max,
            updated_at_min=updated_at_min, updated_at_max=updated_at_max,
        )
        for page in self._pages("/api/responses", query):
            yield from page

    def list_questions(self, *, limit: int = 1000) -> Iterator[Question]:
        """Every question of the shop, by id."""
        for page in self._pages("/api/questions", _given(limit=limit)):
            yield from page

    def list_deleted_responses(
        self,
        *,
        limit: int = 1000,
        starting_after: Optional[str] = None,
        cursor_time: Optional[str] = None,
        deleted_at_min: Optional[str] = None,
        deleted_at_max: Optional[str] = None,
    ) -> Iterator[DeletedResponse]:
        """What is deleted now, in the order of deletion."""
        query = _given(
            limit=limit, starting_after=starting_after, cursor_time=cursor_time, deleted_at_min=deleted_at_min,
            deleted_at_max=deleted_at_max,
        )
        for page in self._pages("/api/deleted-responses", query):
            yield from page

    def create_source(self, source: Mapping[str, Any], *, idempotency_key: Optional[str] = None) -> Source:
        """Creates an attribution source. It is sent with an idempotency key, so that repeating it makes no second one."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        return cast(Source, self._json("POST", "/api/sources", headers, json.dumps(source).encode()))

    def sync_responses(self, state: Optional[Mapping[str, Any]] = None) -> Iterator[SyncBatch]:
        """What a mirror of the shop's responses has to do to be as the shop is now. Begin with None, then with the last state kept.

        It may be stopped, or killed, at any point: what was not kept comes again.
        """
        return _Sync(self, self._clock).batches(state)

    def _json(
        self, method: str, path: str, headers: Optional[Mapping[str, str]] = None, body: Optional[bytes] = None
    ) -> Dict[str, Any]:
        patience = _Patience(self._clock, self._patience_seconds)
        while True:
            answer = self._open(method, path, headers or {}, body, patience)
            try:
                document = answer.json()
            except _NoAnswer as error:
                patience.wait(str(error), None, answer.request_id)
                continue
            if isinstance(document, dict):
                return document
            patience.wait("the answer is not JSON", None, answer.request_id)

    def _pages(self, path: str, query: Mapping[str, str]) -> Iterator[List[Any]]:
        following: Optional[str] = urlencode(query)
        while following is not None:
            page = self._json("GET", f"{path}?{following}")
            yield page["data"]
            # Of the link only the query counts: the credential goes to no other address than ours.
            following = None if page["next"] is None else urlsplit(page["next"]).query

    def _lines(self, query: Mapping[str, str]) -> Iterator[List[Response]]:
        """An export, in lists of whole records as they come. @raises _NoAnswer where it breaks off"""
        # Who is told to come later reads pages instead of waiting.
        patience = _Patience(self._clock, 0)
        headers = {"Accept": "application/x-ndjson"}
        answer = self._open("GET", f"/api/responses?{urlencode(query)}", headers, None, patience)
        pieces, rest = answer.pieces(), b""
        size, problem = 1, None
        while size > 0 and problem is None:
            held, size = [rest], 0
            try:
                for piece in pieces:
                    held.append(piece)
                    size += len(piece)
                    if size > _BATCH_BYTES:
                        break
            except _NoAnswer as error:
                problem = error
            whole, _, rest = b"".join(held).rpartition(b"\n")
            if whole:
                yield json.loads(b"[" + whole.replace(b"\n", b",") + b"]")
        if problem is not None or rest:
            raise problem or _NoAnswer("the export broke off")

    def _open(
        self, method: str, path: str, headers: Mapping[str, str], body: Optional[bytes], patience: _Patience
    ) -> _Answer:
        """An answer of 2xx. @raises every other one, once repeating it is of no use"""
        is_second = False
        while True:
            authorization = self._credential.authorization()
            try:
                answer = self._origin.send(method, path, {"Authorization": authorization, **headers}, body)
                if answer.status < 300:
                    return answer
                document = answer.json()
            except _NoAnswer as error:
                patience.wait(f"the API can't be reached: {error}")
                continue
            status, request_id = answer.status, answer.request_id
            if status == 429 or status >= 500:
                patience.wait(f"the API answered {status}", _retry_after(answer), request_id)
                continue
            is_forbidden = status == 403 and _text(document, "error") == "forbidden"
            if (status == 401 or is_forbidden) and not is_second and self._credential.refused(authorization):
                is_second = True
                continue
            raise self._refusal(answer, document)

    @staticmethod
    def _refusal(answer: _Answer, document: Any) -> PartnerConnectError:
        error, request_id = _text(document, "error"), answer.request_id
        if answer.status == 401:
            return Unauthorized("the API refuses the credential", request_id)
        if error == "forbidden":
            return Forbidden("the connection may not be used now", request_id)
        if error == "insufficient_scope":
            scope = re.search(r'scope="([^"]*)"', answer.header("www-authenticate") or "")
            return InsufficientScope(scope.group(1) if scope else None, request_id)
        message = _text(document, "error_description") or f"the API answered {answer.status} {error}"
        return InvalidRequest(message, _text(document, "param") or None, request_id)


def _given(**parameters: Union[str, int, None]) -> Dict[str, str]:
    return {name: str(value) for name, value in parameters.items() if value is not None}


# --- Sync --------------------------------------------------------------------------------------------------------------

#: The list of deletions goes 400 days back. Who was away for nearly as long may have missed some.
_LONGEST_PAUSE_SECONDS = 390 * 86_400.0

#: Records of a page, and bytes of an export, that make a batch: about as many.
_BATCH = 1000
_BATCH_BYTES = 1_000_000

#: Exports in a row that may break off before anything came.
_MOST_FAILURES = 3


class _Sync:
    """One run of `sync_responses`. Its state is the one of the TypeScript SDK: a copy may be gone on with in either language.

    Responses are read before deletions, and never at the same time: a deletion that is applied after a response was then later on the
    shop's side, too. A record that came back after it comes with the next run, with a new `updated_at`.
    """

    def __init__(self, shop: ShopClient, clock: Clock) -> None:
        self._shop = shop
        self._clock = clock
        self._state: Dict[str, Any] = {}

    def batches(self, saved: Optional[Mapping[str, Any]]) -> Iterator[SyncBatch]:
        if saved is not None:
            self._state = _readable_state(saved)
            if self._clock.now() - _seconds(self._state["deletions_read_at"]) <= _LONGEST_PAUSE_SECONDS:
                try:
                    if self._state["response"] is None:
                        self._require_shop()
                    yield from self._follow()
                    return
                except InvalidRequest as error:
                    # The place is no longer known: its record was deleted more than 400 days ago.
                    if error.param != "starting_after":
                        raise
            # The copy of another shop must not be emptied.
            self._require_shop()
        self._state = self._beginning()
        yield SyncBatch([], [], dict(self._state), True)
        yield from self._follow()

    def _follow(self) -> Iterator[SyncBatch]:
        if self._state["copying"]:
            for records in self._export():
                yield self._batch("response", "updated_at", records)
        # Also after an export: one that was cut looks like a whole one where something between us hides that.
        query = {"sort": "updated_at_asc", "limit": str(_BATCH), **self._cursor("response", "updated_at")}
        for records in self._shop._pages("/api/responses", query):
            if records:
                yield self._batch("response", "updated_at", records)
        self._state["copying"] = False
        read_at = _rfc3339(self._clock.now())
        bound = self._state["deleted_at_min"]
        since = self._cursor("deletion", "deleted_at") or ({} if bound is None else {"deleted_at_min": bound})
        for records in self._shop._pages("/api/deleted-responses", {"limit": str(_BATCH), **since}):
            if records:
                yield self._batch("deletion", "deleted_at", records)
        self._state["deletions_read_at"] = read_at
        yield SyncBatch([], [], dict(self._state), False)

    def _beginning(self) -> Dict[str, Any]:
        """Every deletion that comes is later than the newest `updated_at`: the shop stamps both by one clock that never goes back."""
        shop_id = self._shop.connection()["shop"]["id"]
        newest = self._shop._json("GET", "/api/responses?sort=updated_at_desc&limit=1")["data"]
        return {
            "version": 1,
            "shop_id": shop_id,
            "copying": True,
            "response": None,
            "deletion": None,
            "deleted_at_min": newest[0]["updated_at"] if newest else None,
            "deletions_read_at": _rfc3339(self._clock.now()),
        }

    def _export(self) -> Iterator[List[Any]]:
        """One call for all that is there, gone on with after the last whole record. It ends early where no export is to be had."""
        failures = 0
        while failures < _MOST_FAILURES:
            try:
                for records in self._shop._lines({"sort": "updated_at_asc", **self._cursor("response", "updated_at")}):
                    failures = 0
                    yield records
                return
            except _NoAnswer:
                failures += 1
                self._clock.sleep(0.2 * failures)
            except Unavailable:
                # The shop has other exports under way, or the API has too many: pages go on.
                return

    def _cursor(self, kind: str, time_field: str) -> Dict[str, str]:
        last = self._state[kind]
        return {} if last is None else {"starting_after": last["id"], "cursor_time": last[time_field]}

    def _batch(self, kind: str, time_field: str, records: List[Any]) -> SyncBatch:
        self._state[kind] = {"id": records[-1]["id"], time_field: records[-1][time_field]}
        state = dict(self._state)
        if kind == "response":
            return SyncBatch(records, [], state, False)
        return SyncBatch([], [record["id"] for record in records], state, False)

    def _require_shop(self) -> None:
        shop_id = self._shop.connection()["shop"]["id"]
        if shop_id != self._state["shop_id"]:
            raise InvalidRequest(f"the state is of the shop {self._state['shop_id']}, not of {shop_id}", "state")


def _readable_state(saved: Mapping[str, Any]) -> Dict[str, Any]:
    try:
        if saved["version"] == 1 and isinstance(saved["shop_id"], str) and isinstance(saved["copying"], bool):
            _seconds(saved["deletions_read_at"])
            return {"response": None, "deletion": None, "deleted_at_min": None, **saved}
    except (KeyError, TypeError, ValueError):
        pass
    raise InvalidRequest("the state is none that sync_responses gave: pass it as it was, or None to begin anew", "state")

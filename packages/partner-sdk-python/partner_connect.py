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
import heapq
import hmac
import http.client
import json
import math
import os
import random
import re
import secrets
import socket
import sqlite3
import ssl
import threading
import time
import types
import uuid
import weakref
import zlib
from collections import deque
from typing import (
    Any, Callable, Deque, Dict, Generator, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Set,
    Tuple, TypedDict, Union, cast,
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
        #: `refresh token expired`, `grant revoked`, or `superseded by a newer authorization`: approved again, and your store has no token
        #: of that approval.
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
    """Your address is over its limit of token calls. The next call can be made in `retry_after_seconds`."""

    code = "token_limit_reached"

    def __init__(self, connection_id: Optional[str], retry_after_seconds: float) -> None:
        #: Whole seconds.
        self.retry_after_seconds = math.ceil(retry_after_seconds)
        super().__init__(f"the limit of token calls is reached; the next one can be made in {self.retry_after_seconds} s")
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


class CursorExpired(PartnerConnectError):
    """The feed of changes was set back behind this cursor: the server's data was restored from a backup. Read it from the beginning, one
    entry for each connection and kind. `follow` does so by itself."""

    code = "cursor_expired"


class InvalidWebhook(PartnerConnectError):
    """This is no webhook of yours, or it is too old: answer 400, and do nothing with it."""

    code = "invalid_webhook"


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


class ResponseCount(TypedDict):
    """How many responses of a day or month gave one answer to one question."""

    id: str
    period: str
    question_id: Optional[int]
    question: Optional[str]
    response: Optional[str]
    count: int


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


class ListedShop(TypedDict):
    id: str
    name: str
    domain: Optional[str]


class ListedConnection(TypedDict):
    """One of your connections, as the server knows it."""

    id: str
    shop: ListedShop
    #: `connected`, `expired`, `revoked`, `disabled` (an operator's hold) or `approved`. More may come.
    status: str
    #: Space-delimited.
    scope: str
    connected_at: Optional[str]
    last_used_at: Optional[str]
    #: The refresh token works until then at least. Each use extends it.
    expires_at: Optional[str]


class Change(TypedDict):
    """That a connection has something new, and no more: what it is, you read with the connection's own token."""

    #: None, as `shop_id`, where it concerns the client itself.
    connection_id: Optional[str]
    shop_id: Optional[str]
    #: `responses`, `deletions`, `questions`, `connection` or `webhook`. More may come.
    kind: str
    #: Of the connection, at the time of this answer. Of kind `webhook`: `paused` while one of your endpoints is, else `active`.
    status: str
    at: str


class ChangesPage(TypedDict):
    data: List[Change]
    #: Where this page ends: pass it as `after`.
    cursor: str
    has_more: bool


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
    """No answer came, or not all of it. Whether the request was carried out is not known.

    `is_misplaced`: the server refuses connections, or has no such name, and has never answered before. The address is most likely wrong.
    """

    def __init__(self, message: str, is_misplaced: bool = False) -> None:
        super().__init__(message)
        self.is_misplaced = is_misplaced


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
        self._has_answered = False
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
            self._has_answered = True
        except ssl.SSLCertVerificationError as error:
            connection.close()
            raise Unavailable("the server's certificate can't be verified", 60) from error
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            is_refused = isinstance(error, ConnectionRefusedError)
            is_nameless = isinstance(error, socket.gaierror) and error.errno != socket.EAI_AGAIN
            if (is_refused or is_nameless) and not self._has_answered:
                raise _NoAnswer(f"nothing answers at {self.url}, check the base URL: {error}", True) from error
            raise _NoAnswer(f"no answer from {self.url}: {type(error).__name__}") from error

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

    def wait(
        self, problem: str, told: Optional[float] = None, request_id: Optional[str] = None, is_misplaced: bool = False
    ) -> None:
        """@raises Unavailable when the wait would be too long, or after some tries at an address that has never answered"""
        self._attempts += 1
        by_ourselves = min(8.0, 0.1 * 2 ** min(self._attempts, 7)) * random.uniform(0.5, 1)
        seconds = by_ourselves if told is None else told
        if seconds > self.left or (is_misplaced and self._attempts >= 3):
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

_RECONNECT_REASONS = ("refresh token expired", "grant revoked", "superseded by a newer authorization")

#: What one call of the batch endpoint takes.
_MOST_REFRESHES = 1000

#: Refresh this long before an access token ends.
_EARLY_SECONDS = 60.0

#: A refused refresh token is not sent in a loop. An operator's hold, which may end, is refused in the same words as a revocation.
_DEAD_SECONDS = 900.0

#: The limit counts a minute. A call may take longer to arrive than the one before it.
_WINDOW_SECONDS = 61.0


class _TokenCalls:
    """Turns at the token endpoint, so that its limit is never met: in the order of asking, but a merchant who waits goes first."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        #: When each of the last calls was made.
        self._made: Deque[float] = deque(maxlen=per_minute)
        self._waiting: List[object] = []
        self._paused_until = 0.0

    def wait_for_turn(self, merchant_waits: bool, patience: float) -> None:
        """@raises TokenLimitReached at once, when the turn would come later than `patience` seconds from now"""
        ticket = object()
        with self._lock:
            place = 0 if merchant_waits else len(self._waiting)
            wait = self._wait_at(place, self._clock.now())
            if wait > patience:
                raise TokenLimitReached(None, wait)
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

    def gap(self) -> float:
        """How long to gather connections before the next call, so that the second half of a minute's calls is spread over it."""
        with self._lock:
            most, now = int(self._made.maxlen or 1), self._clock.now()
            recent = sum(made > now - _WINDOW_SECONDS for made in self._made)
            spread = self._made[-1] + _WINDOW_SECONDS / most - now if recent * 2 > most else 0.0
            return max(spread, self._wait_at(len(self._waiting), now))

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
    def __init__(self, origin: _Origin, authorization: str, calls: _TokenCalls, clock: Clock) -> None:
        self._origin = origin
        self._headers = {"Authorization": authorization, "Accept": "application/json"}
        self._calls = calls
        self._clock = clock
        self._lock = threading.Lock()
        #: Refreshes that no call has taken yet, and who makes the next call.
        self._waiting: List["_Refresh"] = []
        self._sending = threading.Lock()

    def exchange(self, fields: Mapping[str, str], patience: float) -> Tuple[Dict[str, Any], "_AccessToken"]:
        """The answer that has the tokens, and its access token."""
        body = urlencode(fields).encode("ascii")

        def tokens(document: Any) -> Any:
            return document if _text(document, "access_token") else None

        form = "application/x-www-form-urlencoded"
        document, asked_at, _ = self._call("/oauth/api/token", form, lambda: body, tokens, True, patience)
        return document, _access_token(document, asked_at)

    def refresh(self, connections: Sequence[StoredConnection], patience: float) -> List["_Outcome"]:
        """A new access token of each, or what is said of it. What threads want at the same time goes in one call, which counts as one.

        @raises what is said of the whole call
        """
        mine = [_Refresh(connection) for connection in connections]
        with self._lock:
            self._waiting += mine
        end = self._clock.now() + patience
        try:
            while any(refresh.is_open for refresh in mine):
                left = max(0.0, end - self._clock.now())
                if not self._sending.acquire(timeout=left):
                    raise TokenLimitReached(None, _WINDOW_SECONDS)
                try:
                    if any(refresh.is_open for refresh in mine):
                        self._send(left)
                finally:
                    self._sending.release()
        finally:
            with self._lock:
                self._waiting = [refresh for refresh in self._waiting if refresh not in mine]
        for refresh in mine:
            if refresh.failure is not None:
                raise _again(refresh.failure)
        return [cast("_Outcome", refresh.outcome) for refresh in mine]

    def _send(self, patience: float) -> None:
        taken: List[_Refresh] = []

        def body() -> bytes:
            # When its turn has come: those who came meanwhile go with it.
            with self._lock:
                if not taken:
                    taken.extend(self._waiting[:_MOST_REFRESHES])
                    del self._waiting[:_MOST_REFRESHES]
            return json.dumps({"refresh_tokens": [refresh.connection.refresh_token for refresh in taken]}).encode("ascii")

        def results(document: Any) -> Any:
            found = document.get("results") if isinstance(document, dict) else None
            return found if isinstance(found, list) and len(found) == len(taken) else None

        try:
            found, asked_at, request_id = self._call(
                "/oauth/api/token/batch", "application/json", body, results, False, patience
            )
            for refresh, result in zip(taken, found):
                refresh.outcome = self._outcome(result, refresh.connection.id, asked_at, request_id)
        except PartnerConnectError as error:
            for refresh in taken:
                refresh.failure = error
            if not taken:
                raise

    def _outcome(self, result: Any, connection_id: str, asked_at: float, request_id: Optional[str]) -> "_Outcome":
        if _text(result, "access_token"):
            return _access_token(result, asked_at)
        if _text(result, "error") not in ("", "temporarily_unavailable"):
            return self._refusal(400, result, connection_id, False, request_id)
        told = result.get("retry_after") if isinstance(result, dict) else None
        seconds = float(told) if isinstance(told, (int, float)) else 1.0
        return Unavailable("no access token can be had for this shop now", seconds, request_id)

    def _call(
        self,
        path: str,
        content_type: str,
        body: Callable[[], bytes],
        read: Callable[[Any], Any],
        is_exchange: bool,
        patience: float,
    ) -> Tuple[Any, float, Optional[str]]:
        """What `read` makes of the answer, when it was asked for, and its request id. Faults and 429 are waited for."""
        waiting = _Patience(self._clock, patience)
        headers = {**self._headers, "Content-Type": content_type}
        was_lost = False
        while True:
            self._calls.wait_for_turn(is_exchange, waiting.left)
            asked_at = self._clock.now()
            try:
                answer = self._origin.send("POST", path, headers, body())
                document = answer.json()
            except _NoAnswer as error:
                was_lost = True
                waiting.wait(f"the token endpoint can't be reached: {error}", is_misplaced=error.is_misplaced)
                continue
            told, request_id = _retry_after(answer), answer.request_id
            found = read(document) if answer.status == 200 else None
            if found is not None:
                return found, asked_at, request_id
            if answer.status == 429:
                self._calls.pause(60.0 if told is None else told)
            elif answer.status == 200 or answer.status >= 500:
                # Whether it was carried out can't be known.
                was_lost = True
                waiting.wait(f"the token endpoint answered {answer.status}", told, request_id)
            else:
                raise self._refusal(answer.status, document, None, was_lost and is_exchange, request_id)

    @staticmethod
    def _refusal(
        status: int, document: Any, connection_id: Optional[str], was_lost: bool, request_id: Optional[str]
    ) -> PartnerConnectError:
        error, description = _text(document, "error"), _text(document, "error_description")
        if error == "invalid_client":
            return InvalidClient(f"the client was refused: {description}", request_id)
        if error == "invalid_grant" and connection_id is not None and description in _RECONNECT_REASONS:
            return ReconnectRequired(connection_id, description, request_id)
        if error == "invalid_grant" and was_lost:
            return AnswerLost("the answer with the tokens was lost; begin a new authorization", request_id)
        if error == "invalid_grant":
            return InvalidGrant(connection_id, description, request_id)
        return InvalidRequest(f"the token endpoint answered {status} {error}: {description}", None, request_id)


class _Refresh:
    def __init__(self, connection: StoredConnection) -> None:
        self.connection = connection
        self.outcome: Optional["_Outcome"] = None
        #: Of the whole call.
        self.failure: Optional[PartnerConnectError] = None

    @property
    def is_open(self) -> bool:
        return self.outcome is None and self.failure is None


class _AccessToken(NamedTuple):
    text: str
    renew_at: float
    expires_at: float


_Outcome = Union[_AccessToken, PartnerConnectError]


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
        #: The refresh token that was answered by an error, which one, and until when it is not sent again.
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

    def is_ready(self) -> bool:
        token = self._token
        return token is not None and token.renew_at > self._client.clock.now()

    def try_again(self) -> None:
        """What was refused may work again: a hold has ended, or the merchant has connected again."""
        self._dead = None

    def to_refresh(self) -> Optional[StoredConnection]:
        """The connection, if it needs an access token that is not there yet. @raises StoreFailed, UnknownConnection"""
        with self._lock:
            if self.is_ready():
                return None
            connection = self._client.stored(self._connection_id)
            self._token = self._shared(connection) or self._token
            return None if self.is_ready() or self._error_of(connection) else connection

    def settle(self, connection: StoredConnection, outcome: _Outcome) -> None:
        """What a refresh with others brought. The next call of the API raises the error."""
        with self._lock:
            if isinstance(outcome, _AccessToken):
                self._token = outcome
                self._client.shared_tokens.put(connection, outcome)
            else:
                seconds = outcome.retry_after_seconds if isinstance(outcome, Unavailable) else _DEAD_SECONDS
                self._dead = (connection.refresh_token, outcome, self._client.clock.now() + seconds)

    def _shared(self, connection: StoredConnection) -> Optional[_AccessToken]:
        shared = self._client.shared_tokens.get(connection)
        is_good = shared and shared.renew_at > self._client.clock.now() and self._refused != f"Bearer {shared.text}"
        return shared if is_good else None

    def _error_of(self, connection: StoredConnection) -> Optional[PartnerConnectError]:
        dead = self._dead
        is_dead = dead is not None and dead[0] == connection.refresh_token and self._client.clock.now() < dead[2]
        # Not the same exception again: it would collect the traceback of each time.
        return _again(dead[1]) if dead is not None and is_dead else None

    def _renew(self, patience: float) -> _AccessToken:
        connection = self._client.stored(self._connection_id)
        shared = self._shared(connection)
        if shared:
            return shared
        while True:
            error = self._error_of(connection)
            if error is not None:
                raise error
            now = self._client.clock.now()
            try:
                token = self._client.refresh(connection, patience)
                self._client.shared_tokens.put(connection, token)
                return token
            except (ReconnectRequired, InvalidGrant) as refusal:
                self._dead = (connection.refresh_token, refusal, now + _DEAD_SECONDS)
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


#: How each begins, as far as it can be told: an access token is a JWT.
_FORMS = {
    "client_": "a client id", "pcs_": "a client secret", "pck_": "an API key", "pcr_": "a refresh token", "eyJ": "an access token",
}
_OWN_FORM = {"client_id": "client_", "client_secret": "pcs_", "api_key": "pck_"}

#: Those of the server that this file comes from.
_SCOPES = ("responses:read", "sources:write")


def _check_credential(name: str, value: str) -> None:
    """No message repeats the value. @raises InvalidRequest"""
    if not value:
        raise InvalidRequest(f"{name} is empty: is the environment variable set?", name)
    if not re.match(r"^[\x21-\x7e]+\Z", value):
        raise InvalidRequest(f"{name} has a space, a line break or another character that it can't have", name)
    for start, form in _FORMS.items():
        if value.startswith(start) and start != _OWN_FORM[name]:
            raise InvalidRequest(f"{name} is {form}", name)


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
        _check_credential("client_id", client_id)
        _check_credential("client_secret", client_secret)
        self.clock = clock or Clock()
        self.patience_seconds = patience_seconds
        self._oauth = _Origin(base_url, timeout_seconds)
        self.timeout_seconds = timeout_seconds
        self._api = self._oauth if api_url is None else _Origin(api_url, timeout_seconds)
        self._issuer = self._oauth.url if issuer is None else issuer
        self._client_id = client_id
        self._store = store
        # RFC 6749 §2.3.1 wants them percent-encoded; ours have no character that this would change.
        self._basic = "Basic " + base64.b64encode(f"{client_id}:{client_secret}".encode()).decode("ascii")
        self.token_calls = _TokenCalls(token_calls_per_minute, self.clock)
        self._tokens = _TokenEndpoint(self._oauth, self._basic, self.token_calls, self.clock)
        self.shared_tokens = _SharedTokens(store)
        self._lock = threading.Lock()
        self._sources: Dict[str, _ConnectionToken] = {}
        #: The exchanges of the last ten minutes, by the verifier's digest: what follows them may be repeated.
        self._exchanges: Dict[str, _Exchange] = {}

    def __repr__(self) -> str:
        return f"PartnerConnect(base_url={self._oauth.url!r}, client_id={self._client_id!r})"

    def begin_authorization(self, *, redirect_uri: str, scope: Sequence[str]) -> Authorization:
        """The link to send the merchant's browser to, with a state and a PKCE challenge of its own."""
        known = f"this version of the SDK knows {', '.join(_SCOPES)}"
        if isinstance(scope, str) or not scope:
            raise InvalidRequest(f"scope must be a list with at least one name: {known}", "scope")
        for name in scope:
            if name not in _SCOPES:
                raise InvalidRequest(f"the scope '{name}' is unknown: {known}", "scope")
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
            exchange.tokens, exchange.token = self._tokens.exchange({**fields, "code_verifier": verifier}, patience)
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
        self.source(connection.id).adopt(connection, token)

    def shop(self, connection_id: str) -> "ShopClient":
        """The API for the shop of a stored connection."""
        return self.reader(connection_id, self.patience_seconds)

    def source(self, connection_id: str) -> _ConnectionToken:
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
        waiting = _Patience(self.clock, patience)
        while True:
            try:
                (outcome,) = self._tokens.refresh([connection], waiting.left)
            except Unavailable as error:
                # Another thread made the call, which may have less patience.
                outcome = error
            except TokenLimitReached as error:
                raise TokenLimitReached(connection.id, error.retry_after_seconds) from None
            if isinstance(outcome, _AccessToken):
                return outcome
            if not isinstance(outcome, Unavailable):
                raise outcome
            waiting.wait(str(outcome), outcome.retry_after_seconds, outcome.request_id)

    def refresh_tokens(self, connection_ids: Iterable[str], patience_seconds: Optional[float] = None) -> None:
        """Gets access tokens for those that have none: 1,000 in one call, which counts as one. Call it before you read many shops.

        What is said of one token concerns its connection alone: the next call for its shop raises it. @raises Unavailable,
        TokenLimitReached, InvalidClient, InvalidRequest of the whole; StoreFailed
        """
        patience = self.patience_seconds if patience_seconds is None else patience_seconds
        wanted: List[Tuple[_ConnectionToken, StoredConnection]] = []
        for id in connection_ids:
            try:
                connection = self.source(id).to_refresh()
            except UnknownConnection:
                continue
            if connection is not None:
                wanted.append((self.source(id), connection))
        for start in range(0, len(wanted), _MOST_REFRESHES):
            part = wanted[start : start + _MOST_REFRESHES]
            outcomes = self._tokens.refresh([connection for _, connection in part], patience)
            for (source, connection), outcome in zip(part, outcomes):
                source.settle(connection, outcome)

    def connections(self) -> Iterator[StoredConnection]:
        """What is in the store. @raises StoreFailed"""
        try:
            yield from self._store.list()
        except Exception as error:
            raise StoreFailed("the store could not be read; repeat the call") from error

    def list_connections(
        self, *, status: Optional[str] = None, limit: int = 1000, starting_after: Optional[str] = None
    ) -> Iterator[ListedConnection]:
        """What the server has: your connections, present and past, by id. It has no tokens: those are in your store alone."""
        query = _given(status=status, limit=limit, starting_after=starting_after)
        for page in self.server(self.patience_seconds).pages("/oauth/api/connections", query):
            yield from page

    def changes(self, after: Optional[str] = None, *, limit: int = 100, wait: int = 0) -> ChangesPage:
        """Which connections have something new since the cursor `after`; None: from the beginning. `follow` does the rest.

        `wait` holds the call for up to 25 seconds while there is nothing: less than `timeout_seconds`. @raises CursorExpired
        """
        return self.server(self.patience_seconds).changes(after, limit, wait)

    def follow(
        self,
        *,
        read_state: Callable[[], Optional[FollowState]],
        keep_state: Callable[[FollowState, Optional[FollowState]], Any],
        read_copy_state: Callable[[str], Optional[Mapping[str, Any]]],
        apply: Callable[[SyncBatch, FollowedCopy], Any],
        trouble: Callable[[Exception, Optional[str]], Any],
        apply_questions: Optional[Callable[[List[Question], FollowedConnection], Any]] = None,
        connection_changed: Optional[Callable[[FollowedConnection, str], Any]] = None,
        progress: Optional[Callable[[FollowProgress], Any]] = None,
        parallel: int = 8,
        stop: Optional[threading.Event] = None,
    ) -> None:
        """Keeps the copies of all connected shops in sync, until `stop` is set or `trouble` raises. It may be killed at any point.

        Your functions are called by several threads, one at a time. A call may come again after a crash. What they raise is told to
        `trouble`, and tried again later.

        :param read_state: what `keep_state` was last given, or None
        :param keep_state: replaces the state that you have, if that is the second argument; else returns False. So a second process does no
            harm
        :param read_copy_state: the state that `apply` last kept for this connection, or None
        :param apply: applies a batch in one transaction with `batch.state`. If the copy's state is not `copy.previous` any more, it
            changes nothing and returns False
        :param trouble: something failed, of one connection or of all (None). It is tried again, later and later. With `ReconnectRequired`
            and `InvalidGrant` the merchant has to connect again, and the copy goes on by itself when they have
        :param apply_questions: all questions of the shop, as they are now; leave it out if you don't want them
        :param connection_changed: the connection began, ended, is held, or what it grants has changed; its status
        :param progress: how much there is to do
        :param parallel: shops that are read at a time
        :param stop: set it, and `follow` returns when what is under way has stopped, within seconds
        """
        calls = types.SimpleNamespace(
            read_state=read_state, keep_state=keep_state, read_copy_state=read_copy_state, apply=apply, trouble=trouble,
            apply_questions=apply_questions, connection_changed=connection_changed, progress=progress,
        )
        _Follow(self, calls, parallel, stop or threading.Event()).run()

    def disconnect(self, connection_id: str) -> None:
        """Ends a connection at once, as the merchant's 'Disconnect' does, and forgets it. Delete the shop's data too.

        @raises StoreFailed, Unavailable: repeat the call; UnknownConnection
        """
        token = self.stored(connection_id).refresh_token
        self.server(self.patience_seconds).revoke(token)
        self.forget(connection_id)

    def forget(self, connection_id: str) -> None:
        """Ends a connection on your side alone: its refresh token is deleted from the store, and lapses after 30 days.

        `disconnect` ends it on the server too. @raises StoreFailed
        """
        try:
            self._store.delete(connection_id)
        except Exception as error:
            raise StoreFailed("the store could not delete the connection; repeat the call") from error
        with self._lock:
            self._sources.pop(connection_id, None)

    def server(self, patience_seconds: float) -> "_Server":
        return _Server(self._oauth, _FixedCredential(self._basic), self.clock, patience_seconds)

    def reader(self, connection_id: str, patience_seconds: float) -> "ShopClient":
        return ShopClient(self._api, self.source(connection_id), self.clock, patience_seconds)


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
    _check_credential("api_key", api_key)
    origin = _Origin(base_url, timeout_seconds)
    return ShopClient(origin, _FixedCredential(api_key), clock or Clock(), patience_seconds)


# --- Calls with a credential -------------------------------------------------------------------------------------------


class _Caller:
    """Calls of an API. They are repeated after faults and 429, and after 401 with a new credential."""

    def __init__(self, origin: _Origin, credential: Credential, clock: Clock, patience_seconds: float) -> None:
        self._origin = origin
        self._credential = credential
        self._clock = clock
        self._patience_seconds = patience_seconds

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._origin.url!r})"

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

    def pages(self, path: str, query: Mapping[str, str]) -> Iterator[List[Any]]:
        following: Optional[str] = urlencode(query)
        while following is not None:
            page = self._json("GET", f"{path}?{following}")
            yield page["data"]
            # Of the link only the query counts: the credential goes to no other address than ours.
            following = None if page["next"] is None else urlsplit(page["next"]).query

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
                patience.wait(f"the API can't be reached: {error}", is_misplaced=error.is_misplaced)
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
        if error == "invalid_client":
            return InvalidClient(f"the client was refused: {_text(document, 'error_description')}", request_id)
        if answer.status == 410:
            return CursorExpired("the feed was set back behind this cursor: read it from the beginning", request_id)
        if answer.status == 401:
            hint = re.search(r'error_description="([^"]*)"', answer.header("www-authenticate") or "")
            return Unauthorized(hint.group(1) if hint else "the API refuses the credential", request_id)
        if error == "forbidden":
            return Forbidden("the connection may not be used now", request_id)
        if error == "insufficient_scope":
            scope = re.search(r'scope="([^"]*)"', answer.header("www-authenticate") or "")
            return InsufficientScope(scope.group(1) if scope else None, request_id)
        message = _text(document, "error_description") or f"the API answered {answer.status} {error}"
        return InvalidRequest(message, _text(document, "param") or None, request_id)


def _given(**parameters: Union[str, int, None]) -> Dict[str, str]:
    return {name: str(value) for name, value in parameters.items() if value is not None}


class _Server(_Caller):
    """What the server tells your client itself, over all its connections."""

    def changes(self, after: Optional[str], limit: int, wait: int) -> ChangesPage:
        query = urlencode(_given(after=after, limit=limit, wait=wait))
        return cast(ChangesPage, self._json("GET", f"/oauth/api/changes?{query}"))

    def revoke(self, refresh_token: str) -> None:
        """RFC 7009."""
        form = urlencode({"token": refresh_token, "token_type_hint": "refresh_token"}).encode("ascii")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        patience = _Patience(self._clock, self._patience_seconds)
        self._open("POST", "/oauth/api/revoke", headers, form, patience).body()


# --- A shop's data -----------------------------------------------------------------------------------------------------


class ShopClient(_Caller):
    """Reads and writes one shop's data. Calls are repeated after faults and 429, and after 401 with a new access token."""

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
        question_id: Optional[int] = None,
        response_id: Optional[int] = None,
        inserted_at_min: Optional[str] = None,
        inserted_at_max: Optional[str] = None,
        updated_at_min: Optional[str] = None,
        updated_at_max: Optional[str] = None,
    ) -> Iterator[Response]:
        """Every response that matches, page after page of `limit`.

        `cursor_time` goes beside `starting_after`: the time of that record by which you sort, as it was shown.
        `response_id`: of the option that was chosen.
        """
        query = _given(
            sort=sort, limit=limit, starting_after=starting_after, cursor_time=cursor_time,
            question_id=question_id, response_id=response_id, inserted_at_min=inserted_at_min, inserted_at_max=inserted_at_max,
            updated_at_min=updated_at_min, updated_at_max=updated_at_max,
        )
        for page in self.pages("/api/responses", query):
            yield from page

    def list_questions(self, *, limit: int = 1000) -> Iterator[Question]:
        """Every question of the shop, by id."""
        for page in self.pages("/api/questions", _given(limit=limit)):
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
        for page in self.pages("/api/deleted-responses", query):
            yield from page

    def list_response_counts(
        self,
        *,
        unit: Optional[str] = None,
        limit: int = 1000,
        starting_after: Optional[str] = None,
        period_min: Optional[str] = None,
        period_max: Optional[str] = None,
        question_id: Optional[int] = None,
    ) -> Iterator[ResponseCount]:
        """How many responses there are, by day or month (`unit`), question and answer.

        Bounds are dates such as `2026-11-23`; of months the first day.
        """
        query = _given(
            unit=unit, limit=limit, starting_after=starting_after, period_min=period_min, period_max=period_max,
            question_id=question_id,
        )
        for page in self.pages("/api/response-counts", query):
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
        for records in self._shop.pages("/api/responses", query):
            if records:
                yield self._batch("response", "updated_at", records)
        self._state["copying"] = False
        read_at = _rfc3339(self._clock.now())
        bound = self._state["deleted_at_min"]
        since = self._cursor("deletion", "deleted_at") or ({} if bound is None else {"deleted_at_min": bound})
        for records in self._shop.pages("/api/deleted-responses", {"limit": str(_BATCH), **since}):
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


# --- Follow ------------------------------------------------------------------------------------------------------------


class PendingConnection(TypedDict):
    """What is to be done for one connection."""

    connection_id: str
    shop_id: str
    #: `unknown`: your store has it, and the feed has not.
    status: str
    #: Those of the feed, and `check`: whether the shop still has what the copy has.
    kinds: List[str]


class FollowState(TypedDict):
    """How far `follow` has come. Plain JSON; keep it as it is. The copies' own states are kept with the copies."""

    version: int
    #: Of the feed: all that it told up to here is applied, but what is pending.
    cursor: str
    pending: List[PendingConnection]


class FollowedConnection(NamedTuple):
    connection_id: str
    shop_id: str


class FollowedCopy(NamedTuple):
    connection_id: str
    shop_id: str
    #: The state of this copy on which the batch follows.
    previous: Optional[Mapping[str, Any]]


class FollowProgress(NamedTuple):
    #: Connections that are read now, or wait to be.
    in_hand: int
    #: Connections that failed, and are tried again later.
    failing: int


#: Between two calls of the feed: well within its limit, also where something is new all the time.
_LEAST_PAUSE_SECONDS = 0.2

#: The next page of the feed is read when fewer connections than this are in hand.
_MOST_IN_HAND = 1000

#: A connection that has been read for so long lets those that wait go first.
_LONGEST_TURN_SECONDS = 10.0

#: Reading waits for faults this long before the connection is put aside, so that `stop` is noticed and others have their turn.
_FOLLOW_PATIENCE_SECONDS = 5.0

#: The longest wait before something is tried again, and before what only a merchant, an operator or a developer can change.
_LONGEST_RETRY_SECONDS = 60.0
_LASTING_RETRY_SECONDS = 900.0

#: The feed says that it is connected: a merchant may connect it just now, and the store has the tokens in a moment.
_SILENT_RETRIES = 4

#: A refresh token lapses when it is not used for 30 days, also where nothing happens. Each day those are refreshed that end this soon.
_DAY_SECONDS = 86_400.0
_LAPSES_SOON_SECONDS = 15 * _DAY_SECONDS


class _FollowEnds(Exception):
    """`stop` is set, or a thread has failed."""


class _CopyMoved(RuntimeError):
    """Another process has written to the copy, so it is read again from where it is: soon, as nothing is wrong."""


class _Work:
    """What is to be done for one connection. It is in a queue, or runs, or waits to be tried again."""

    def __init__(self) -> None:
        self.shop_id = ""
        self.status = ""
        #: To do, and not begun.
        self.kinds: Set[str] = set()
        self.running: Set[str] = set()
        self.is_in_hand = False
        self.failures = 0
        self.attempt = 0


class _Follow:
    """One run of `follow`. Its state is the one of the TypeScript SDK.

    The caller's thread reads the feed. One thread gets access tokens, for all that want one together. The others read shops. All share
    what `_changed` guards.
    """

    def __init__(self, client: PartnerConnect, calls: types.SimpleNamespace, parallel: int, stop: threading.Event) -> None:
        self._client = client
        self._clock = client.clock
        self._calls = calls
        self._parallel = parallel
        self._stop = stop
        self._server = client.server(_FOLLOW_PATIENCE_SECONDS)
        #: Seconds for which the server holds a call. `stop` is noticed after it.
        self._wait = max(0, min(5, int(client.timeout_seconds) - 2))
        #: Your functions are called one at a time.
        self._calling = threading.RLock()
        self._changed = threading.Condition()
        self._work: Dict[str, _Work] = {}
        self._without_token: Deque[str] = deque()
        self._ready: Deque[str] = deque()
        #: When to try again, which attempt this follows, and which connection.
        self._later: List[Tuple[float, int, str]] = []
        self._has_ended = False
        self._error: Optional[BaseException] = None
        self._kept: Optional[FollowState] = None
        self._keep_alive_at = 0.0
        self._read_at = 0.0

    def run(self) -> None:
        targets = [self._read_shops] * self._parallel + [self._get_tokens]
        threads = [threading.Thread(target=self._run_thread, args=(target,)) for target in targets]
        for thread in threads:
            thread.start()
        try:
            self._read_feed()
        except _FollowEnds:
            pass
        finally:
            self._end(None)
            for thread in threads:
                thread.join()
        if self._error is not None:
            raise self._error

    def _run_thread(self, target: Callable[[], None]) -> None:
        try:
            target()
        except _FollowEnds:
            pass
        except BaseException as error:
            self._end(error)

    def _end(self, error: Optional[BaseException]) -> None:
        with self._changed:
            self._has_ended = True
            self._error = self._error or error
            self._changed.notify_all()

    def _go_on(self) -> None:
        """@raises _FollowEnds"""
        if self._has_ended or self._stop.is_set():
            raise _FollowEnds

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        with self._changed:
            while time.monotonic() < end:
                self._go_on()
                self._changed.wait(min(1.0, max(0.0, end - time.monotonic())))

    def _call(self, function: Callable[..., Any], *values: Any) -> Any:
        with self._calling:
            return function(*values)

    def _persist(self, work: Callable[[], Any]) -> Any:
        """Repeats what fails, for as long as it takes. @raises CursorExpired, and what `trouble` raises"""
        failures = 0
        while True:
            self._go_on()
            try:
                return work()
            except CursorExpired:
                raise
            except Exception as error:
                self._call(self._calls.trouble, error, None)
                self._pause(min(_LONGEST_RETRY_SECONDS, _retry_seconds(error, failures)))
                failures += 1

    # The feed

    def _read_feed(self) -> None:
        cursor = self._reload()
        while True:
            try:
                cursor = self._from_the_beginning() if cursor is None else cursor
                page = self._page(cursor, self._wait)
                told = self._note(page["data"])
                cursor = page["cursor"]
                # Before anything of it is read: a cursor that is kept has seen all that the copies have, so a restored server refuses it.
                if not self._keep(cursor):
                    cursor = self._reload()
                self._begin(told)
                self._wait_until_few()
            except CursorExpired:
                cursor = None

    def _from_the_beginning(self) -> str:
        """All that the feed has, and what the store has beside it: each copy is checked.

        Nothing is kept until it was told whole: a crash begins it again, and finds the copies as they are.
        """
        seen: Set[str] = set()
        cursor: Optional[str] = None
        has_more = True
        while has_more:
            page = self._page(cursor, 0)
            told = self._note(page["data"], "check")
            seen.update(told)
            self._begin(told)
            self._wait_until_few()
            cursor, has_more = page["cursor"], page["has_more"]
        for connection in self._persist(lambda: list(self._client.connections())):
            if connection.id not in seen:
                self._note_one(connection.id, connection.shop.id, "unknown", ["check", "questions"])
                self._begin([connection.id])
                self._wait_until_few()
        self._keep(str(cursor))
        return str(cursor)

    def _page(self, after: Optional[str], wait: int) -> ChangesPage:
        self._pause(self._read_at + _LEAST_PAUSE_SECONDS - time.monotonic())
        page = self._persist(lambda: self._server.changes(after, 1000, wait))
        self._read_at = time.monotonic()
        return cast(ChangesPage, page)

    def _note(self, changes: Iterable[Change], *also: str) -> List[str]:
        told: Dict[str, None] = {}
        for change in changes:
            id, shop_id = change["connection_id"], change["shop_id"]
            # Without a connection it concerns the client itself.
            if id is not None and shop_id is not None:
                self._note_one(id, shop_id, change["status"], [change["kind"], *also])
                told[id] = None
        return list(told)

    def _note_one(self, id: str, shop_id: str, status: str, kinds: Iterable[str]) -> None:
        with self._changed:
            work = self._work.setdefault(id, _Work())
            work.shop_id, work.status = shop_id, status
            work.kinds.update(kinds)
        self._client.source(id).try_again()

    def _begin(self, ids: Iterable[str]) -> None:
        """Begins what is noted for them, or tries it again at once."""
        with self._changed:
            for id in ids:
                work = self._work.get(id)
                if work is not None and not work.is_in_hand:
                    work.is_in_hand = True
                    work.attempt += 1
                    is_read = work.status in ("connected", "unknown") and not self._client.source(id).is_ready()
                    (self._without_token if is_read else self._ready).append(id)
            self._changed.notify_all()

    def _wait_until_few(self) -> None:
        with self._changed:
            while self._progress().in_hand >= _MOST_IN_HAND:
                self._go_on()
                self._changed.wait(1.0)

    def _progress(self) -> FollowProgress:
        in_hand = sum(work.is_in_hand for work in self._work.values())
        return FollowProgress(in_hand, len(self._work) - in_hand)

    def _keep(self, cursor: str) -> bool:
        """False if another process has kept another state."""
        with self._changed:
            pending = [
                PendingConnection(
                    connection_id=id, shop_id=work.shop_id, status=work.status, kinds=sorted(work.kinds | work.running)
                )
                for id, work in self._work.items()
            ]
        state = FollowState(version=1, cursor=cursor, pending=pending)
        if state == self._kept:
            return True
        if self._persist(lambda: self._call(self._calls.keep_state, state, self._kept)) is False:
            return False
        self._kept = state
        return True

    def _reload(self) -> Optional[str]:
        """Goes on from the state that is kept. What is in hand goes on as well."""
        self._kept = self._persist(lambda: _readable_follow_state(self._call(self._calls.read_state)))
        pending = [] if self._kept is None else self._kept["pending"]
        for one in pending:
            self._note_one(one["connection_id"], one["shop_id"], one["status"], one["kinds"])
        self._begin([one["connection_id"] for one in pending])
        return None if self._kept is None else self._kept["cursor"]

    # Access tokens

    def _get_tokens(self) -> None:
        while True:
            with self._changed:
                while not self._without_token and self._clock.now() < self._keep_alive_at:
                    self._go_on()
                    self._changed.wait(1.0)
            if self._clock.now() >= self._keep_alive_at:
                self._keep_alive()
            # Those who come meanwhile go together.
            self._pause(self._client.token_calls.gap())
            with self._changed:
                ids = list(self._without_token)[:_MOST_REFRESHES]
            self._persist(lambda: self._client.refresh_tokens(ids, _FOLLOW_PATIENCE_SECONDS))
            with self._changed:
                for id in ids:
                    self._without_token.popleft()
                    self._ready.append(id)
                self._changed.notify_all()

    def _keep_alive(self) -> None:
        now = self._clock.now()
        soon = _rfc3339(now + _LAPSES_SOON_SECONDS)
        try:
            pages = self._server.pages("/oauth/api/connections", {"status": "connected", "limit": "1000"})
            connected = [connection for page in pages for connection in page]
            self._client.refresh_tokens([one["id"] for one in connected if (one["expires_at"] or soon) < soon])
            self._keep_alive_at = now + _DAY_SECONDS
        except Exception as error:
            self._keep_alive_at = now + _LASTING_RETRY_SECONDS
            self._call(self._calls.trouble, error, None)

    # Shops

    def _read_shops(self) -> None:
        while True:
            id, work, status = self._next()
            connection = FollowedConnection(id, work.shop_id)
            retry: Optional[float] = None
            is_done = False
            try:
                is_done = self._read(connection, status, work.running)
            except _FollowEnds:
                raise
            except Exception as error:
                self._go_on()
                retry = self._failed(error, connection, status, work.failures)
            with self._changed:
                if not is_done and retry != 0:
                    work.kinds |= work.running
                work.running = set()
                work.is_in_hand = False
                work.failures = work.failures + 1 if retry else 0
                if retry:
                    heapq.heappush(self._later, (self._clock.now() + retry, work.attempt, id))
                elif work.kinds:
                    self._begin([id])
                else:
                    del self._work[id]
                self._changed.notify_all()
                progress = self._progress()
            if self._calls.progress is not None:
                self._call(self._calls.progress, progress)

    def _next(self) -> Tuple[str, _Work, str]:
        with self._changed:
            while True:
                self._go_on()
                now = self._clock.now()
                while self._later and self._later[0][0] <= now:
                    _, attempt, id = heapq.heappop(self._later)
                    work = self._work.get(id)
                    if work is not None and work.attempt == attempt:
                        self._begin([id])
                if self._ready:
                    id = self._ready.popleft()
                    work = self._work[id]
                    work.running, work.kinds = work.kinds, set()
                    return id, work, work.status
                self._changed.wait(1.0)

    def _failed(self, error: Exception, connection: FollowedConnection, status: str, failures: int) -> float:
        """Seconds until it is tried again. 0: never."""
        is_useless = isinstance(error, (UnknownConnection, ReconnectRequired, InvalidGrant))
        may_pass = is_useless and status != "unknown" or isinstance(error, _CopyMoved)
        if not may_pass or failures >= _SILENT_RETRIES:
            self._call(self._calls.trouble, error, connection.connection_id)
        return 0.0 if is_useless and status == "unknown" else _retry_seconds(error, failures)

    def _read(self, connection: FollowedConnection, status: str, kinds: Set[str]) -> bool:
        """Does what is pending. False: it has stopped on the way, as others wait."""
        if "connection" in kinds and self._calls.connection_changed is not None:
            self._call(self._calls.connection_changed, connection, status)
        # A connection that comes back has everything new.
        if status not in ("connected", "unknown"):
            return True
        shop = self._client.reader(connection.connection_id, _FOLLOW_PATIENCE_SECONDS)
        if "questions" in kinds and self._calls.apply_questions is not None:
            self._call(self._calls.apply_questions, list(shop.list_questions()), connection)
        if not kinds & {"responses", "deletions", "check"}:
            return True
        previous = self._call(self._calls.read_copy_state, connection.connection_id)
        is_true = previous is None or "check" not in kinds or _is_still_there(shop, previous)
        end = self._clock.now() + _LONGEST_TURN_SECONDS
        batches = shop.sync_responses(previous if is_true else None)
        try:
            for batch in batches:
                if self._call(self._calls.apply, batch, FollowedCopy(*connection, previous)) is False:
                    raise _CopyMoved("the copy's state is not the one that was read: does another process keep this copy?")
                previous = batch.state
                self._go_on()
                if self._clock.now() > end and self._ready:
                    return False
        finally:
            cast(Generator[SyncBatch, None, None], batches).close()
        return True


def _is_still_there(shop: ShopClient, state: Mapping[str, Any]) -> bool:
    """Whether the shop has what the copy has read last, as it was. A shop's changes are committed in the order of their times, so it then
    has all that the copy has. If not, its database was set back, or the record has changed since: a full copy puts both right.
    """
    response, deletion = state["response"], state["deletion"]
    if response is not None:
        at = response["updated_at"]
        same = shop.list_responses(sort="updated_at_desc", updated_at_min=at, updated_at_max=at)
        if all(one["id"] != response["id"] for one in same):
            return False
    if deletion is None:
        return True
    at = deletion["deleted_at"]
    return any(one["id"] == deletion["id"] for one in shop.list_deleted_responses(deleted_at_min=at, deleted_at_max=at))


def _retry_seconds(error: Exception, failures: int) -> float:
    if isinstance(error, _CopyMoved):
        return random.uniform(0.5, 1.5)
    said = getattr(error, "retry_after_seconds", 0.0)
    is_lasting = isinstance(error, PartnerConnectError) and not isinstance(error, (Unavailable, TokenLimitReached, StoreFailed))
    most = _LASTING_RETRY_SECONDS if is_lasting else _LONGEST_RETRY_SECONDS
    return float(max(said, min(most, 2.0 ** min(failures, 20)) * random.uniform(0.75, 1)))


def _readable_follow_state(saved: Optional[Mapping[str, Any]]) -> Optional[FollowState]:
    if saved is None:
        return None
    if saved.get("version") == 1 and isinstance(saved.get("cursor"), str) and isinstance(saved.get("pending"), list):
        return cast(FollowState, saved)
    raise InvalidRequest("the state is none that follow gave: pass it as it was, or None to begin anew", "state")


# --- Webhooks ----------------------------------------------------------------------------------------------------------


class WebhookHint(TypedDict):
    """A hint: your feed has moved, and what is new has one of these kinds. What it is, the feed says: see `follow` and `changes`."""

    #: The same for each repetition of one hint.
    id: str
    type: str
    timestamp: str
    #: `client_id`, and the list `kinds`.
    data: Dict[str, Any]


#: How far a webhook's time may be from yours.
_WEBHOOK_TOLERANCE_SECONDS = 300.0


def verify_webhook(
    raw_body: Union[bytes, str], headers: Mapping[str, str], secrets: Union[str, Sequence[str]], *, clock: Optional[Clock] = None
) -> WebhookHint:
    """The hint, if it was signed with one of your secrets within five minutes: Standard Webhooks 1.0.0.

    :param raw_body: the body as it came; what was parsed and written again verifies as nothing
    :param secrets: `whsec_…` (the signature `v1`), or `whpk_…` (`v1a`), for which the library `cryptography` must be installed; several
        while a secret is rotated
    @raises InvalidWebhook: answer 400; InvalidRequest if `raw_body` or a secret is none
    """
    if not isinstance(raw_body, (bytes, str)):
        raise InvalidRequest("raw_body must be the body as it came, and not what was parsed from it", "raw_body")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    keys = [_webhook_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    sent = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not sent.get(name):
            raise InvalidWebhook(f"the header {name} is missing")
    id, timestamp = sent["webhook-id"], sent["webhook-timestamp"]
    if not re.match(r"^[0-9]{1,12}\Z", timestamp):
        raise InvalidWebhook("webhook-timestamp is no time")
    if abs((clock or Clock()).now() - int(timestamp)) > _WEBHOOK_TOLERANCE_SECONDS:
        raise InvalidWebhook("webhook-timestamp is more than five minutes from your time: is it a replay, or is your clock wrong?")
    content = f"{id}.{timestamp}.".encode() + body
    signatures = [signature.partition(",") for signature in sent["webhook-signature"].split(" ")]
    if not any(verify(scheme, _from_base64(text), content) for scheme, _, text in signatures for verify in keys):
        raise InvalidWebhook("no signature is by your secret: is the body as it came, and is the secret this endpoint's?")
    try:
        return cast(WebhookHint, {**json.loads(body), "id": id})
    except (ValueError, TypeError):
        raise InvalidWebhook("the body is not a JSON object") from None


def _webhook_key(secret: str) -> Callable[[str, bytes, bytes], bool]:
    """Whether the signature, of the scheme given first, is of the content."""
    kind, _, text = secret.partition("_")
    key = _from_base64(text)
    if kind == "whsec" and key:
        return lambda scheme, signature, content: scheme == "v1" and hmac.compare_digest(
            hmac.new(key, content, hashlib.sha256).digest(), signature
        )
    if kind != "whpk" or len(key) != 32:
        raise InvalidRequest("the webhook's secret is none: it begins with whsec_ or whpk_", "secrets")
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        raise InvalidRequest("a secret whpk_… needs the library cryptography; whsec_… needs none", "secrets") from None
    public_key = Ed25519PublicKey.from_public_bytes(key)

    def verify(scheme: str, signature: bytes, content: bytes) -> bool:
        try:
            if scheme == "v1a":
                public_key.verify(signature, content)
            return scheme == "v1a"
        except InvalidSignature:
            return False

    return verify


def _from_base64(text: str) -> bytes:
    """Nothing where it is none."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""

"""Partner Connect for Python: connect shops, keep their access tokens fresh, and read their survey responses.

One file for Python 3.9 and later, standard library only, so that it can be copied into a project. /docs/python of any server shows how to use it.

    partner_connect = PartnerConnect(base_url=..., client_id=..., client_secret=...)
    url, pending = partner_connect.begin_authorization(redirect_uri=..., scope=["responses:read"])
    connection = partner_connect.complete_authorization(callback_url, pending)
    for response in partner_connect.shop(connection.refresh_token).list_responses():
        ...

Every object is thread-safe. Every error is a `PartnerConnectError` with a stable `code`. No message contains a token, a code or a secret.
"""

from __future__ import annotations

import base64
import dataclasses
import gzip
import hashlib
import hmac
import http.client
import json
import random
import re
import secrets
import ssl
import threading
import time
import urllib.request
import zlib
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import parse_qs, urlencode, urlsplit

__version__ = "0.1.0"

# --- Errors
# ------------------------------------------------------------------------------------------------------------


class PartnerConnectError(Exception):
    """Base class of all errors. `code` is stable: the class's name, such as `reconnect_required`. The message may change.

    Quote `request_id` when you ask for support.
    """

    code: str

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, message: str, request_id: Optional[str] = None) -> None:
        super().__init__(message)
        self.request_id = request_id


class StateMismatch(PartnerConnectError):
    """The callback belongs to another attempt, or is forged. Ignore it and begin a new authorization."""


class MissingVerifier(PartnerConnectError):
    """There is no `pending` for this callback, or it has no usable `code_verifier`: the session was lost. Begin again."""


class IssuerMismatch(PartnerConnectError):
    """The `iss` of the callback is missing or names another server (RFC 9207). The code is not sent anywhere."""


class AuthorizationDenied(PartnerConnectError):
    """The merchant declined, or has no shop that can be connected. Offer to try again; do not begin automatically."""


class AnswerLost(PartnerConnectError):
    """The response with the tokens was lost, and a code works only once. Begin a new authorization."""


class InvalidBaseUrl(PartnerConnectError):
    """The base URL is not a URL, or is plain http to another machine, which would expose secrets."""


class ReconnectRequired(PartnerConnectError):
    """The connection can't be used. Show a button that begins an authorization; do not retry. If `reason` is `grant
    revoked`, `GET /oauth/api/connections` has its status. `revoked` means that it has ended. `disabled` means a hold, during
    which the merchant can't connect again; the same token works when the hold ends."""

    def __init__(self, reason: str, request_id: Optional[str] = None) -> None:
        cause = "the connection has ended or is on hold" if reason == "grant revoked" else "the merchant must connect again"
        super().__init__(f"{cause}: {reason}", request_id)
        #: `refresh token expired`, `grant revoked`, or `superseded by a newer authorization` if a
        #: newer approval has another refresh token.
        self.reason = reason


class InvalidGrant(PartnerConnectError):
    """The code or refresh token was refused for a reason other than those of `ReconnectRequired`. Do not retry."""


class InvalidClient(PartnerConnectError):
    """`client_id` and `client_secret` are wrong or rotated, or the client is disabled. Connections are not affected."""


class InvalidRequest(PartnerConnectError):
    """The request is wrong. `param` names the parameter, if there is one. Do not retry."""

    def __init__(self, message: str, param: Optional[str] = None, request_id: Optional[str] = None) -> None:
        super().__init__(message, request_id)
        self.param = param


class Unauthorized(PartnerConnectError):
    """The API refuses the access token, even after a refresh. Most likely a clock is wrong."""


class Forbidden(PartnerConnectError):
    """The connection may not be used now, although its refresh token works."""


class InsufficientScope(PartnerConnectError):
    """The connection, the client or the shop's plan lacks `scope`."""

    def __init__(self, scope: Optional[str], request_id: Optional[str] = None) -> None:
        super().__init__(f"the call needs {'another scope' if scope is None else f'the scope {scope}'}", request_id)
        self.scope = scope


class InvalidWebhook(PartnerConnectError):
    """The webhook is not signed with your secret, or is too old. Answer 400 and ignore it."""


class Unavailable(PartnerConnectError):
    """No response, or a 5xx, for as long as the call is retried. Try again after `retry_after_seconds`. Connections are not affected."""

    def __init__(self, message: str, retry_after_seconds: float, request_id: Optional[str] = None) -> None:
        super().__init__(message, request_id)
        self.retry_after_seconds = retry_after_seconds
        self._is_lost = False


class RateLimited(Unavailable):
    """A rate limit (429) does not allow this call for `retry_after_seconds`, which is longer than the call is retried."""


# --- HTTP
# --------------------------------------------------------------------------------------------------------------


class _NoAnswer(Exception):
    """No complete response. The server may have processed the request."""


class _Answer(NamedTuple):
    status: int
    headers: Any
    #: The parsed body; None if it is not JSON.
    document: Any
    #: An earlier attempt failed, and the server may have processed it.
    is_repeated: bool = False

    @property
    def request_id(self) -> Optional[str]:
        value: Optional[str] = self.headers.get("x-request-id")
        return value

    def text(self, name: str) -> str:
        return _text(self.document, name)


def _text(document: Any, name: str) -> str:
    value = document.get(name) if isinstance(document, Mapping) else None
    return value if isinstance(value, str) else ""


class _AnyStatus(urllib.request.HTTPErrorProcessor):
    """Returns every response as it is: redirects are not followed, and 4xx is not an exception."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


_LOOPBACK = re.compile(r"^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)\Z")


class _Server:
    """Calls to one base URL. They are retried after network faults, 408, 429 and 5xx."""

    def __init__(self, url: str, timeout: float) -> None:
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError:
            raise InvalidBaseUrl("the base URL can't be parsed") from None
        if parts.scheme not in ("https", "http") or not host:
            raise InvalidBaseUrl("the base URL must begin with https://")
        if parts.query or parts.fragment or parts.username is not None or parts.password is not None:
            raise InvalidBaseUrl("the base URL has a user, a query or a fragment")
        if parts.scheme == "http" and not _LOOPBACK.match(host):
            raise InvalidBaseUrl("the base URL must be https: plain http is only allowed to this machine (localhost, 127.0.0.1)")
        self.url = f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_AnyStatus)

    def call(self, path: str, headers: Mapping[str, str], patience: float, form: Optional[Mapping[str, str]] = None) -> _Answer:
        """GET, or POST of a form. Returns 2xx with a JSON object, or 3xx and 4xx other than 408 and 429.

        :param patience: how many seconds the call may be retried
        @raises Unavailable, RateLimited: the next attempt would be later than that
        """
        end = time.monotonic() + patience
        is_repeated, attempt = False, 0
        while True:
            attempt += 1
            seconds = min(8.0, 0.1 * 2.0 ** min(attempt, 7)) * random.uniform(0.5, 1)
            try:
                answer = self._send(path, headers, form)
            except _NoAnswer as fault:
                error, is_repeated = Unavailable(str(fault), seconds), True
            else:
                is_broken = answer.status < 300 and not isinstance(answer.document, dict)
                if answer.status < 500 and answer.status not in (408, 429) and not is_broken:
                    return answer._replace(is_repeated=is_repeated)
                retry_after = answer.headers.get("retry-after") or ""
                seconds = float(retry_after) if re.match(r"^[0-9]{1,6}\Z", retry_after) else seconds
                kind = RateLimited if answer.status == 429 else Unavailable
                error = kind(f"{self.url}{path.partition('?')[0]} responded {answer.status}", seconds, answer.request_id)
                is_repeated = is_repeated or answer.status != 429
            pause = error.retry_after_seconds + random.uniform(0, 0.25)
            if time.monotonic() + pause > end:
                error._is_lost = is_repeated
                raise error
            time.sleep(pause)

    def _send(self, path: str, headers: Mapping[str, str], form: Optional[Mapping[str, str]]) -> _Answer:
        common = {"User-Agent": f"partner-connect-python/{__version__}", "Accept": "application/json", "Accept-Encoding": "gzip"}
        body = None if form is None else urlencode(form).encode("ascii")
        request = urllib.request.Request(self.url + path, body, {**common, **headers})
        try:
            with self._opener.open(request, timeout=self._timeout) as answer:
                content = answer.read()
                if answer.headers.get("content-encoding") == "gzip":
                    content = gzip.decompress(content)
        except (OSError, http.client.HTTPException, EOFError, zlib.error) as error:
            cause = getattr(error, "reason", error)
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise Unavailable("the server's certificate can't be verified", 60) from error
            raise _NoAnswer(f"no response from {self.url}: {type(cause).__name__}: {cause}") from error
        try:
            return _Answer(answer.status, answer.headers, json.loads(content))
        except ValueError:
            return _Answer(answer.status, answer.headers, None)


# --- Tokens
# ------------------------------------------------------------------------------------------------------------

_ANSWER_LOST = "the response with the tokens was lost; begin a new authorization"
_RECONNECT_REASONS = ("refresh token expired", "grant revoked", "superseded by a newer authorization")

#: An access token is renewed this long before its end, and again this long after a failed early
#: renewal.
_EARLY_SECONDS, _EARLY_RETRY_SECONDS = 60.0, 10.0

#: A refused refresh token is not sent again for this long. It is sent later, because an operator's
#: hold, which is refused like a revocation, may end.
_REFUSED_SECONDS = 900.0


class _AccessToken(NamedTuple):
    text: str
    renew_at: float
    expires_at: float


def _access_token(answer: _Answer, asked_at: float) -> _AccessToken:
    """The token in a response. Its lifetime is counted from the request, so that it expires here no later than on the server."""
    expires_in = answer.document.get("expires_in")
    life = float(expires_in) if isinstance(expires_in, (int, float)) else 60.0
    return _AccessToken(answer.text("access_token"), asked_at + life - min(_EARLY_SECONDS, life / 2), asked_at + life)


#: Calls the token endpoint with a form, and retries for that number of seconds.
_TokenEndpoint = Callable[[Mapping[str, str], float], _Answer]


def _token_refusal(answer: _Answer, is_exchange: bool = False) -> PartnerConnectError:
    """The error for an answer of the token endpoint that is not 200 (RFC 6749 §5.2)."""
    error, description = answer.text("error"), answer.text("error_description")
    if error == "invalid_client":
        return InvalidClient(f"the client was refused: {description}", answer.request_id)
    if error == "invalid_grant" and not is_exchange and description in _RECONNECT_REASONS:
        return ReconnectRequired(description, answer.request_id)
    if error == "invalid_grant" and is_exchange and answer.is_repeated:
        return AnswerLost(_ANSWER_LOST, answer.request_id)
    if error == "invalid_grant":
        return InvalidGrant(f"the {'code' if is_exchange else 'refresh token'} was refused: {description}", answer.request_id)
    return InvalidRequest(f"the token endpoint responded {answer.status} {error}: {description}", None, answer.request_id)


class TokenSource:
    """The access token of one connection. `PartnerConnect.shop` makes it.

    There is one refresh at a time: threads that ask for a token during a refresh wait for its result.
    """

    def __init__(self, endpoint: _TokenEndpoint, refresh_token: str, patience: float, token: Optional[_AccessToken] = None) -> None:
        self._endpoint = endpoint
        self._refresh_token = refresh_token
        self._patience = patience
        self._lock = threading.Lock()
        self._token = token
        self._retry_early_at = 0.0
        self._refusal: Optional[_Answer] = None
        self._refused_until = 0.0

    def access_token(self) -> str:
        """A valid access token, renewed a minute before its end. Send it as `Authorization: Bearer …`.

        @raises ReconnectRequired: the refresh token expired or the grant was revoked; InvalidGrant; InvalidClient; Unavailable
        """
        token = self._token
        if token is None or token.renew_at <= time.monotonic():
            with self._lock:
                token = self._renewed_if_needed()
        return token.text

    def discard(self, access_token: str) -> None:
        """Call it if the API refused this access token, so that `access_token` returns a new one."""
        with self._lock:
            if self._token is not None and self._token.text == access_token:
                self._token = None

    def _renewed_if_needed(self) -> _AccessToken:
        now = time.monotonic()
        token = self._token if self._token is not None and now < self._token.expires_at - 1 else None
        if token is not None and now < max(token.renew_at, self._retry_early_at):
            return token
        if self._refusal is not None and now < self._refused_until:
            raise _token_refusal(self._refusal)
        try:
            # While the old token works, a fault must not delay the caller.
            self._token = self._refresh(0 if token is not None else self._patience)
            return self._token
        except (ReconnectRequired, InvalidGrant):
            raise
        except PartnerConnectError:
            if token is None:
                raise
            self._retry_early_at = time.monotonic() + _EARLY_RETRY_SECONDS
            return token

    def _refresh(self, patience: float) -> _AccessToken:
        asked_at = time.monotonic()
        form = {"grant_type": "refresh_token", "refresh_token": self._refresh_token}
        answer = self._endpoint(form, patience)
        if answer.text("access_token"):
            return _access_token(answer, asked_at)
        error = _token_refusal(answer)
        if isinstance(error, (ReconnectRequired, InvalidGrant)):
            self._token = None
            self._refusal, self._refused_until = answer, time.monotonic() + _REFUSED_SECONDS
        raise error


# --- The client
# --------------------------------------------------------------------------------------------------------


def _check_credential(name: str, value: str) -> None:
    """@raises InvalidRequest, which does not repeat the value"""
    if not value:
        raise InvalidRequest(f"{name} is empty: is the environment variable set?", name)
    if not re.match(r"^[\x21-\x7e]+\Z", value):
        raise InvalidRequest(f"{name} has a space, a line break or another character that is not allowed", name)


class Authorization(NamedTuple):
    """`url` is where to send the merchant's browser. `pending` is plain JSON: keep it in the user's session on your server."""

    url: str
    pending: Dict[str, str]


@dataclasses.dataclass(frozen=True)
class Connection:
    """A connected shop. Store it. A shop that connects again has the same `id` and a new `refresh_token`."""

    id: str
    shop_id: str
    shop_name: str
    #: The granted scopes, space-delimited. They may be fewer than you asked for.
    scope: str
    #: Gives access to the shop's data, so keep it secret. It does not change, and expires when unused
    #: for 30 days.
    refresh_token: str = dataclasses.field(repr=False)


class _Exchange:
    """The progress of one authorization's exchange. A double submit waits for the first and gets its connection."""

    def __init__(self, made_at: float) -> None:
        self.made_at = made_at
        #: When the first attempt began that got no answer but may have arrived.
        self.lost_at: Optional[float] = None
        self.lock = threading.Lock()
        self.tokens: Optional[_Answer] = None
        self.exchanged_at = 0.0
        self.connection: Optional[Connection] = None


class PartnerConnect:
    """Your client. Make one per process.

    :param base_url: the address that you were given; https, or http to this machine
    :param api_url: the API's address, if it is another one
    :param issuer: the issuer in the server's metadata, if it is not `base_url`
    :param patience_seconds: how long a call is retried after faults, 408, 429 and 5xx; longer than a rate limit's minute by default
    :param timeout_seconds: how long the network may be silent
    """

    def __init__(
        self, *, base_url: str, client_id: str, client_secret: str, api_url: Optional[str] = None, issuer: Optional[str] = None,
        patience_seconds: float = 75, timeout_seconds: float = 30,
    ) -> None:
        _check_credential("client_id", client_id)
        _check_credential("client_secret", client_secret)
        self._oauth = _Server(base_url, timeout_seconds)
        self._api = self._oauth if api_url is None else _Server(api_url, timeout_seconds)
        self._issuer = self._oauth.url if issuer is None else issuer
        self._client_id = client_id
        self._patience = patience_seconds
        # RFC 6749 §2.3.1 percent-encodes both. Ours have no character that this would change.
        self._basic = "Basic " + base64.b64encode(f"{client_id}:{client_secret}".encode()).decode("ascii")
        self._lock = threading.Lock()
        #: The token sources, by refresh token.
        self._sources: Dict[str, TokenSource] = {}
        #: The exchanges of the last ten minutes, by code verifier.
        self._exchanges: Dict[str, _Exchange] = {}

    def begin_authorization(self, *, redirect_uri: str, scope: Sequence[str]) -> Authorization:
        """The authorization link with a new `state` and PKCE challenge (RFC 7636)."""
        if isinstance(scope, str) or not scope:
            raise InvalidRequest("scope must be a list, such as ['responses:read']", "scope")
        state, code_verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).rstrip(b"=").decode("ascii")
        query = {
            "response_type": "code", "client_id": self._client_id, "redirect_uri": redirect_uri, "scope": " ".join(scope),
            "state": state, "code_challenge": challenge, "code_challenge_method": "S256",
        }
        url = f"{self._oauth.url}/oauth/api/authorize?{urlencode(query)}"
        return Authorization(url, {"state": state, "code_verifier": code_verifier, "redirect_uri": redirect_uri})

    def complete_authorization(self, callback_url: str, pending: Optional[Mapping[str, Any]]) -> Connection:
        """Checks the callback's `state` and `iss`, exchanges its code, and asks which shop was connected.

        :param callback_url: the address that the browser came back to, or its path with the query
        :param pending: what `begin_authorization` returned
        Delete the stored `pending` before: another process would send the code again, which after a minute ends the connection.
        After `Unavailable` or `RateLimited`, the same call in the same process within ten minutes continues.
        """
        verifier = _text(pending, "code_verifier")
        if not re.match(r"^[A-Za-z0-9._~-]{43,128}\Z", verifier) or not _text(pending, "state"):
            raise MissingVerifier("there is no pending authorization for this callback; begin again")
        code = self._checked_code(callback_url, _text(pending, "state"))
        with self._lock:
            now = time.monotonic()
            for old in [key for key, exchange in self._exchanges.items() if exchange.made_at < now - 600]:
                del self._exchanges[old]
            exchange = self._exchanges.setdefault(verifier, _Exchange(now))
        with exchange.lock:
            if exchange.connection is None:
                exchange.connection = self._connect(exchange, code, _text(pending, "redirect_uri"), verifier)
            return exchange.connection

    def _checked_code(self, callback_url: str, state: str) -> str:
        try:
            sent = parse_qs(urlsplit(callback_url).query, keep_blank_values=True)
        except ValueError:
            sent = {}

        def value(name: str) -> str:
            values = sent.get(name, [])
            return values[0] if len(values) == 1 else ""

        if not hmac.compare_digest(value("state").encode(), state.encode()):
            raise StateMismatch("the callback's state is not the one of this attempt")
        if value("iss") != self._issuer:
            raise IssuerMismatch("the callback's iss is not this server")
        if value("error") == "access_denied":
            raise AuthorizationDenied("the merchant declined")
        if "error" in sent:
            raise InvalidRequest(f"the authorization was refused: {value('error_description') or value('error')}")
        if not value("code"):
            raise InvalidRequest("the callback has neither a code nor an error", "code")
        return value("code")

    def _connect(self, exchange: _Exchange, code: str, redirect_uri: str, verifier: str) -> Connection:
        if exchange.tokens is None:
            asked_at = time.monotonic()
            form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri, "code_verifier": verifier}
            # Within a minute of the exchange a repetition is only refused. Later it would end
            # the connection.
            lost_at = asked_at if exchange.lost_at is None else exchange.lost_at
            if asked_at > lost_at + 45:
                raise AnswerLost(_ANSWER_LOST)
            try:
                answer = self._token_endpoint(form, min(self._patience, lost_at + 45 - asked_at))
            except Unavailable as error:
                if error._is_lost:
                    exchange.lost_at = lost_at
                raise
            if not answer.text("access_token"):
                is_repeated = answer.is_repeated or exchange.lost_at is not None
                raise _token_refusal(answer._replace(is_repeated=is_repeated), is_exchange=True)
            exchange.tokens, exchange.exchanged_at = answer, time.monotonic()
            self._source(answer.text("refresh_token"), _access_token(answer, asked_at))
        tokens = exchange.tokens
        described = self.shop(tokens.text("refresh_token")).connection()
        with self._lock:
            # A newer approval has replaced these tokens.
            for other in reversed(self._exchanges.values()):
                if other.connection and other.connection.id == described["id"] and other.exchanged_at > exchange.exchanged_at:
                    return other.connection
        shop = described["shop"]
        return Connection(described["id"], shop["id"], shop["name"], tokens.text("scope"), tokens.text("refresh_token"))

    def shop(self, refresh_token: str) -> "Shop":
        """The API for the shop of a connection. All calls with one refresh token share one `TokenSource`."""
        return Shop(self._api, self._source(refresh_token), self._patience)

    def _source(self, refresh_token: str, token: Optional[_AccessToken] = None) -> TokenSource:
        _check_credential("refresh_token", refresh_token)
        new = TokenSource(self._token_endpoint, refresh_token, self._patience, token)
        with self._lock:
            return self._sources.setdefault(refresh_token, new)

    def _token_endpoint(self, form: Mapping[str, str], patience: float) -> _Answer:
        return self._oauth.call("/oauth/api/token", {"Authorization": self._basic}, patience, form)


# --- A shop's data
# -----------------------------------------------------------------------------------------------------


class Shop:
    """Reads one shop's data. Calls are retried after faults, 408, 429 and 5xx, and once with a new access token after 401."""

    def __init__(self, server: _Server, tokens: TokenSource, patience: float) -> None:
        self._server = server
        self._patience = patience
        #: `tokens.access_token()` is for endpoints that this SDK has no method for.
        self.tokens = tokens

    def connection(self) -> Dict[str, Any]:
        """`GET /api/connection`: the connection's id, scope and times, and the shop's id, name, domain and plan."""
        return self._get("/api/connection")

    def list_responses(
        self, *, sort: Optional[str] = None, limit: int = 1000,
        starting_after: Optional[str] = None, cursor_time: Optional[str] = None,
        inserted_at_min: Optional[str] = None, inserted_at_max: Optional[str] = None,
        updated_at_min: Optional[str] = None, updated_at_max: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """Every matching response. Follows `next` from page to page. The API reference describes the fields.

        :param sort: `inserted_at_desc` (the default), `inserted_at_asc`, `updated_at_desc` or `updated_at_asc`
        :param limit: records per page, at most 1000
        :param starting_after: the id of the record to continue after; `cursor_time` is its `inserted_at` or `updated_at`, by which you sort
        :param inserted_at_min: RFC 3339. All bounds are inclusive
        """
        parameters = {
            "sort": sort, "limit": limit, "starting_after": starting_after, "cursor_time": cursor_time,
            "inserted_at_min": inserted_at_min, "inserted_at_max": inserted_at_max,
            "updated_at_min": updated_at_min, "updated_at_max": updated_at_max,
        }
        return self._list("/api/responses", parameters)

    def list_deleted_responses(
        self, *, limit: int = 1000, starting_after: Optional[str] = None, cursor_time: Optional[str] = None,
        deleted_at_min: Optional[str] = None, deleted_at_max: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        """`id` and `deleted_at` of every deleted response, the oldest deletion first.

        :param starting_after: the id of the deletion to continue after; `cursor_time` is its `deleted_at`
        """
        return self._list("/api/deleted-responses", {
            "limit": limit, "starting_after": starting_after, "cursor_time": cursor_time,
            "deleted_at_min": deleted_at_min, "deleted_at_max": deleted_at_max,
        })

    def list_questions(self, *, limit: int = 1000) -> Iterator[Dict[str, Any]]:
        """Every question of the shop."""
        return self._list("/api/questions", {"limit": limit})

    def _list(self, path: str, parameters: Dict[str, Any]) -> Iterator[Dict[str, Any]]:
        query: Optional[str] = urlencode({name: value for name, value in parameters.items() if value is not None})
        while query is not None:
            page = self._get(f"{path}?{query}")
            yield from page["data"]
            # Use only the link's query, so that the token is sent to no other host.
            query = None if page["next"] is None else urlsplit(page["next"]).query

    def _get(self, path: str) -> Dict[str, Any]:
        is_second = False
        while True:
            token = self.tokens.access_token()
            answer = self._server.call(path, {"Authorization": f"Bearer {token}"}, self._patience)
            if answer.status < 300:
                document: Dict[str, Any] = answer.document
                return document
            if is_second or not (answer.status == 401 or answer.text("error") == "forbidden"):
                raise _api_refusal(answer)
            # For a revoked connection, the refresh raises ReconnectRequired.
            self.tokens.discard(token)
            is_second = True


def _api_refusal(answer: _Answer) -> PartnerConnectError:
    error, request_id = answer.text("error"), answer.request_id
    challenge = answer.headers.get("www-authenticate") or ""
    if answer.status == 401:
        description = re.search(r'error_description="([^"]*)"', challenge)
        return Unauthorized(description.group(1) if description else "the API refuses the access token", request_id)
    if error == "forbidden":
        return Forbidden("the connection may not be used now", request_id)
    if error == "insufficient_scope":
        scope = re.search(r'scope="([^"]*)"', challenge)
        return InsufficientScope(scope.group(1) if scope else None, request_id)
    message = answer.text("error_description") or f"the API responded {answer.status} {error}"
    return InvalidRequest(message, answer.text("param") or None, request_id)


# --- Webhooks
# ----------------------------------------------------------------------------------------------------------

#: The largest accepted difference between a webhook's timestamp and this machine's clock.
_WEBHOOK_TOLERANCE_SECONDS = 300


def verify_webhook(raw_body: Union[bytes, str], headers: Mapping[str, str], secrets: Union[str, Sequence[str]]) -> Dict[str, Any]:
    """Verifies a signature of Standard Webhooks 1.0.0 and returns the parsed body with its `id`.

    :param raw_body: the body as received. A body that was parsed and serialized again does not verify
    :param secrets: `whsec_…`; several during a rotation
    @raises InvalidWebhook: answer 400. InvalidRequest: `raw_body` or a secret is of the wrong kind
    """
    if not isinstance(raw_body, (bytes, str)):
        raise InvalidRequest("raw_body must be the body as received, not parsed", "raw_body")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    keys = [_webhook_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    sent = {name.lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not sent.get(name):
            raise InvalidWebhook(f"the header {name} is missing")
    id, timestamp = sent["webhook-id"], sent["webhook-timestamp"]
    if not re.match(r"^[0-9]{1,12}\Z", timestamp):
        raise InvalidWebhook("webhook-timestamp is not a time")
    if abs(time.time() - int(timestamp)) > _WEBHOOK_TOLERANCE_SECONDS:
        raise InvalidWebhook("webhook-timestamp is more than five minutes from your clock: a replay, or a wrong clock")
    content = f"{id}.{timestamp}.".encode() + body
    signatures = [signature.partition(",") for signature in sent["webhook-signature"].split(" ")]
    if not any(verify(scheme, _from_base64(text), content) for scheme, _, text in signatures for verify in keys):
        raise InvalidWebhook("no signature matches your secret: is the body as received, and the secret that of this endpoint?")
    try:
        return {**json.loads(body), "id": id}
    except (ValueError, TypeError):
        raise InvalidWebhook("the body is not a JSON object") from None


def _webhook_key(secret: str) -> Callable[[str, bytes, bytes], bool]:
    """Returns a function that checks a signature: its scheme, its bytes, the signed content."""
    kind, _, text = secret.partition("_")
    key = _from_base64(text)
    if kind == "whsec" and key:
        return lambda scheme, signature, content: scheme == "v1" and hmac.compare_digest(
            hmac.new(key, content, hashlib.sha256).digest(), signature
        )
    raise InvalidRequest("a webhook secret begins with whsec_", "secrets")


def _from_base64(text: str) -> bytes:
    """Empty if `text` is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return b""

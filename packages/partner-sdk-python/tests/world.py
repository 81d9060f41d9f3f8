"""What the tests are given by test/clients/python/python-world.ts, which starts them: a running stack, and people who do as they are asked."""

from __future__ import annotations

import json
import os
import unittest
import uuid
from typing import Any, Dict, List, Optional, Tuple
from urllib.request import Request, urlopen

from partner_connect import Clock, MemoryStore, PartnerConnect, StoredConnection

_WORLD = json.loads(os.environ["PARTNER_CONNECT_TEST_WORLD"])

BASE_URL: str = _WORLD["base_url"]
CLIENT_ID: str = _WORLD["client_id"]
CLIENT_SECRET: str = _WORLD["client_secret"]
REDIRECT_URI: str = _WORLD["redirect_uri"]
#: Plan `standard`, and plan `advanced_attribution`: `{id, name}`.
SHOP: Dict[str, str] = _WORLD["shop"]
ADVANCED_SHOP: Dict[str, str] = _WORLD["advanced_shop"]
API_KEY: str = _WORLD["api_key"]
#: The stack by way of a network on which `faults` go wrong.
FAULTY_URL: str = _WORLD["faulty_url"]


def _ask(**question: Any) -> Any:
    with urlopen(Request(_WORLD["control"], json.dumps(question).encode()), timeout=60) as answer:
        return json.load(answer)


def approve(url: str, shop: Dict[str, str] = SHOP) -> str:
    """The merchant opens the link and approves. Returns where the browser is sent."""
    return str(_ask(do="approve", url=url.replace(FAULTY_URL, BASE_URL), shop=shop))


def decline(url: str) -> str:
    return str(_ask(do="decline", url=url))


def operator(*arguments: str, records: Optional[List[Dict[str, Any]]] = None) -> Any:
    """The operator runs `partner-connect`. Returns the JSON that it prints."""
    lines = "".join(json.dumps(record) + "\n" for record in records or [])
    return _ask(do="operator", arguments=arguments, stdin=lines)


def new_shop() -> Tuple[str, str]:
    """A shop of its own for one test: its id, and an API key."""
    name = f"Shop {uuid.uuid4()}"
    shop = operator("shop", "create", "--name", name, "--owner", _WORLD["merchant"], "--plan", "standard")
    return shop["id"], operator("api-key", "create", "--shop", shop["id"])["api_key"]


def new_partner() -> Dict[str, str]:
    """A client of its own for one test: what `new_client` takes."""
    arguments = ["--name", f"Partner {uuid.uuid4()}", "--redirect-uri", REDIRECT_URI, "--scope", "responses:read"]
    client = operator("client", "create", *arguments)
    return {"client_id": client["client_id"], "client_secret": client["client_secret"]}


def new_shops(count: int) -> List[Dict[str, str]]:
    """Shops of their own for one test: `{id, name, api_key}`."""
    made = [new_shop() for _ in range(count)]
    return [{"id": id, "name": operator("shop", "show", id)["name"], "api_key": key} for id, key in made]


def faults(*plan: Dict[str, Any]) -> None:
    """What goes wrong on the way from now on: for each call the first entry that its path begins with, once for each entry."""
    _ask(do="faults", plan=plan)


def random_faults(seed: int, one_in: int) -> None:
    _ask(do="random_faults", seed=seed, one_in=one_in)


def calls() -> List[Dict[str, Any]]:
    """`{method, path, fault, status}` of each call by way of the faulty network since `faults` was said."""
    return list(_ask(do="calls"))


def new_client(**options: Any) -> PartnerConnect:
    given: Dict[str, Any] = {"base_url": BASE_URL, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "store": MemoryStore()}
    given.update({"issuer": BASE_URL, **options})
    return PartnerConnect(**given)


def connect(client: PartnerConnect, shop: Dict[str, str] = SHOP, scope: str = "responses:read") -> StoredConnection:
    url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=scope.split())
    return client.complete_authorization(approve(url, shop), pending)


def response(**fields: Any) -> Dict[str, Any]:
    """A response to import."""
    return {"id": f"r-{uuid.uuid4()}", "question": "How did you hear of us?", "response": "Podcast", **fields}


class TestClock(Clock):
    """A clock that `sleep` moves, and nothing else."""

    __test__ = False

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self._now = now
        self.slept: List[float] = []

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._now += seconds

    def advance(self, seconds: float) -> None:
        self._now += seconds


class MovedClock(Clock):
    """The real clock, and what `advance` added to it."""

    offset = 0.0

    def now(self) -> float:
        return super().now() + self.offset

    def advance(self, seconds: float) -> None:
        self.offset += seconds


class WorldTest(unittest.TestCase):
    def setUp(self) -> None:
        faults()

"""What test/clients/python/python-world.ts gives the tests: a running stack, and a merchant and an operator who do what they are asked."""

from __future__ import annotations

import json
import os
import time
import unittest
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional
from unittest import mock
from urllib.request import Request, urlopen

import partner_connect
from partner_connect import Connection, PartnerConnect

_WORLD = json.loads(os.environ["PARTNER_CONNECT_TEST_WORLD"])

BASE_URL: str = _WORLD["base_url"]
CLIENT_ID: str = _WORLD["client_id"]
CLIENT_SECRET: str = _WORLD["client_secret"]
REDIRECT_URI: str = _WORLD["redirect_uri"]
#: Plan `standard`, and plan `advanced_attribution`: `{id, name}`.
SHOP: Dict[str, str] = _WORLD["shop"]
ADVANCED_SHOP: Dict[str, str] = _WORLD["advanced_shop"]
#: The stack behind a network on which `faults` go wrong.
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


def faults(*plan: Dict[str, Any]) -> None:
    """Faults of the next calls: each call takes the first entry whose `path` it begins with. Empties `calls`."""
    _ask(do="faults", plan=plan)


def random_faults(seed: int, one_in: int) -> None:
    _ask(do="random_faults", seed=seed, one_in=one_in)


def calls() -> List[Dict[str, Any]]:
    """`{method, path, fault, status}` of each call by way of the faulty network since `faults`."""
    return list(_ask(do="calls"))


def new_client(**options: Any) -> PartnerConnect:
    given: Dict[str, Any] = {"base_url": BASE_URL, "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "issuer": BASE_URL}
    return PartnerConnect(**{**given, **options})


def connect(client: PartnerConnect, shop: Dict[str, str] = SHOP, scope: str = "responses:read") -> Connection:
    url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=scope.split())
    return client.complete_authorization(approve(url, shop), pending)


def approved(client: PartnerConnect) -> Callable[[], Connection]:
    """The merchant approves a new authorization. Each call of the returned function completes it."""
    url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"])
    callback = approve(url)
    return lambda: client.complete_authorization(callback, pending)


def in_threads(count: int, work: Callable[[], Any]) -> List[Any]:
    with ThreadPoolExecutor(count) as pool:
        return [each.result() for each in [pool.submit(work) for _ in range(count)]]


def response(**fields: Any) -> Dict[str, Any]:
    """A response to import."""
    return {"id": f"r-{uuid.uuid4()}", "question": "How did you hear of us?", "response": "Podcast", **fields}


class MovedClock:
    """Stands in for the module `time`: the real clock plus what `advance` added."""

    offset = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.offset

    def time(self) -> float:
        return time.time() + self.offset

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def advance(self, seconds: float) -> None:
        self.offset += seconds


class WorldTest(unittest.TestCase):
    def setUp(self) -> None:
        faults()
        self.clock = MovedClock()
        patch = mock.patch.object(partner_connect, "time", self.clock)
        patch.start()
        self.addCleanup(patch.stop)


class ConnectedTest(WorldTest):
    """The client has connected the shop, by way of the faulty network."""

    def setUp(self) -> None:
        super().setUp()
        self.client = new_client(base_url=FAULTY_URL)
        self.connection = connect(self.client)
        self.shop = self.client.shop(self.connection.refresh_token)
        faults()

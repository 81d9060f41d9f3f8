import dataclasses
import os
import tempfile
import threading
import time
import unittest
from typing import Any, Callable, Dict, List

import partner_connect as pc
from tests.world import (
    FAULTY_URL, MovedClock, SHOP, TestClock, WorldTest, approve, calls, connect, faults, new_client, operator, REDIRECT_URI,
)


class HeldClock(pc.Clock):
    """A clock that stands still until `advance`. It counts who sleeps."""

    def __init__(self) -> None:
        self._now = 1_800_000_000.0
        self._moved = threading.Condition()
        self.sleeping = 0

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        with self._moved:
            end = self._now + seconds
            self.sleeping += 1
            self._moved.wait_for(lambda: self._now >= end)
            self.sleeping -= 1

    def advance(self, seconds: float) -> None:
        with self._moved:
            self._now += seconds
            self._moved.notify_all()


def token_calls() -> List[Dict[str, Any]]:
    return [call for call in calls() if call["path"] in ("/oauth/api/token", "/oauth/api/token/batch")]


class Tokens(WorldTest):
    def setUp(self) -> None:
        super().setUp()
        self.clock = MovedClock()
        self.store = pc.MemoryStore()
        self.client = new_client(base_url=FAULTY_URL, store=self.store, clock=self.clock)
        self.connection = connect(self.client)
        self.shop = self.client.shop(self.connection.id)
        faults()

    def test_an_access_token_is_kept_until_a_minute_before_its_end(self) -> None:
        self.shop.connection()
        self.clock.advance(900 - 70)
        self.shop.connection()
        self.assertEqual(len(token_calls()), 0)
        self.clock.advance(15)
        self.shop.connection()
        self.shop.connection()
        self.assertEqual(len(token_calls()), 1)

    def test_another_process_uses_what_is_stored(self) -> None:
        other = new_client(base_url=FAULTY_URL, store=self.store)
        self.assertEqual(other.shop(self.connection.id).connection()["id"], self.connection.id)
        self.assertEqual(len(token_calls()), 1)

    def test_processes_share_access_tokens_where_the_store_keeps_them(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        stores = [pc.SqliteStore(os.path.join(folder.name, "connections.db")) for _ in "123"]
        for store in stores:
            self.addCleanup(store.close)
        first, second, third = (new_client(base_url=FAULTY_URL, store=store, clock=self.clock) for store in stores)
        id = connect(first).id
        faults()
        second.shop(id).connection()
        self.assertEqual(token_calls(), [])
        self.clock.advance(850)
        for client in (first, second, third):
            client.shop(id).connection()
        self.assertEqual(len(token_calls()), 1)
        # Each client that meets a shared token which the API refuses asks for another one.
        shared = stores[0].get_access_token(id)
        assert shared is not None
        changed: Any = {**shared, "accessToken": "junk"}
        stores[0].put_access_token(changed)
        new_client(base_url=FAULTY_URL, store=stores[0], clock=self.clock).shop(id).connection()
        self.assertEqual(len(token_calls()), 2)
        # What was got for an older approval is not used.
        changed = {**shared, "refreshTokenDigest": "another"}
        stores[0].put_access_token(changed)
        new_client(base_url=FAULTY_URL, store=stores[0], clock=self.clock).shop(id).connection()
        self.assertEqual(len(token_calls()), 3)
        third.forget(id)
        self.assertEqual((list(first.connections()), stores[0].get_access_token(id)), ([], None))
        with self.assertRaises(pc.UnknownConnection):
            third.shop(id).connection()

    def test_threads_that_need_a_token_make_one_refresh(self) -> None:
        self.clock.advance(3600)
        faults({"path": "/oauth/api/token", "fault": "delay", "ms": 200})
        found: List[Any] = []
        threads = [threading.Thread(target=lambda: found.append(self.shop.connection()["id"])) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [self.connection.id] * 8)
        self.assertEqual(len(token_calls()), 1)

    def test_an_early_refresh_that_fails_leaves_the_token_that_works(self) -> None:
        self.clock.advance(900 - 30)
        faults({"path": "/oauth/api/token", "fault": "gateway", "status": 502})
        self.shop.connection()
        self.shop.connection()
        self.assertEqual(len(token_calls()), 1)
        self.clock.advance(11)
        self.shop.connection()
        self.assertEqual([call["status"] for call in token_calls()[1:]], [200])

    def test_a_token_that_the_api_refuses_is_renewed_once(self) -> None:
        far = self.clock.now() + 900
        self.client.source(self.connection.id).adopt(self.connection, pc._AccessToken("junk", far, far))
        self.assertEqual(self.shop.connection()["id"], self.connection.id)
        self.assertEqual([call["status"] for call in calls()], [401, 200, 200])

    def test_a_revoked_connection_asks_for_the_merchant(self) -> None:
        self.shop.connection()
        operator("connection", "revoke", self.connection.id, "--yes")
        for _ in range(3):
            with self.assertRaises(pc.ReconnectRequired) as raised:
                self.shop.connection()
            self.assertEqual((raised.exception.reason, raised.exception.connection_id), ("grant revoked", self.connection.id))
        # What was refused is not asked again and again.
        self.assertEqual(len(token_calls()), 1)

        again = connect(self.client)
        self.assertEqual(again.id, self.connection.id)
        self.shop.connection()

    def test_a_hold_that_has_ended_is_noticed(self) -> None:
        operator("connection", "disable", self.connection.id, "--yes")
        with self.assertRaises(pc.ReconnectRequired):
            self.shop.connection()
        operator("connection", "enable", self.connection.id)
        self.clock.advance(1000)
        self.shop.connection()

    def test_a_refresh_token_that_was_replaced_meanwhile_is_read_again(self) -> None:
        old = self.store.get(self.connection.id)
        assert old is not None
        new = connect(self.client)
        self.client.source(new.id).refused(self.client.source(new.id).authorization())
        answers = [old, new]

        class Store(pc.MemoryStore):
            def get(self, id: str) -> Any:
                return answers.pop(0)

        client = new_client(store=Store())
        self.assertEqual(client.shop(new.id).connection()["id"], new.id)
        self.assertEqual(answers, [])

    def test_a_superseded_token_must_be_connected_again(self) -> None:
        connect(self.client)
        late = pc.MemoryStore()
        late.put(self.connection)
        with self.assertRaises(pc.ReconnectRequired) as raised:
            new_client(store=late).shop(self.connection.id).connection()
        self.assertEqual(raised.exception.connection_id, self.connection.id)
        self.assertEqual(raised.exception.reason, "superseded by a newer authorization")

    def test_a_token_that_is_none_is_another_error(self) -> None:
        late = pc.MemoryStore()
        late.put(dataclasses.replace(self.connection, refresh_token="pcr_none"))
        with self.assertRaises(pc.InvalidGrant) as raised:
            new_client(store=late).shop(self.connection.id).connection()
        self.assertEqual(raised.exception.connection_id, self.connection.id)

    def test_a_connection_that_is_not_stored_is_unknown(self) -> None:
        with self.assertRaises(pc.UnknownConnection):
            self.client.shop("none").connection()


class Stores(WorldTest):
    def test_a_store_that_fails_leaves_the_connection_as_it_was(self) -> None:
        class Full(pc.MemoryStore):
            is_full = False

            def put(self, connection: pc.StoredConnection) -> None:
                if self.is_full:
                    raise OSError("disk full")
                super().put(connection)

        store = Full()
        client = new_client(base_url=FAULTY_URL, store=store)
        before = connect(client)
        store.is_full = True
        url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"])
        callback = approve(url)
        with self.assertRaises(pc.StoreFailed) as raised:
            client.complete_authorization(callback, pending)
        self.assertIsInstance(raised.exception.__cause__, OSError)
        self.assertEqual(store.get(before.id), before)
        # The tokens are not lost: the same call stores them, without another exchange.
        store.is_full = False
        faults()
        after = client.complete_authorization(callback, pending)
        self.assertEqual(token_calls(), [])
        self.assertEqual(store.get(before.id), after)
        self.assertEqual(client.shop(after.id).connection()["shop"]["id"], SHOP["id"])

    def test_a_store_that_can_not_be_read_is_not_an_unknown_connection(self) -> None:
        class Broken(pc.MemoryStore):
            def get(self, id: str) -> Any:
                raise OSError("away")

            def list(self) -> Any:
                raise OSError("away")

            def delete(self, id: str) -> None:
                raise OSError("away")

        client = new_client(store=Broken())
        with self.assertRaises(pc.StoreFailed):
            client.shop("any").connection()
        with self.assertRaises(pc.StoreFailed):
            list(client.connections())
        with self.assertRaises(pc.StoreFailed):
            client.forget("any")


class Arithmetic(unittest.TestCase):
    def test_a_token_is_renewed_a_minute_early_or_in_the_middle_of_a_short_life(self) -> None:
        for life, renewed_after in ((900, 840), (120, 60), (60, 30), (10, 5)):
            token = pc._access_token({"access_token": "t", "expires_in": life}, 1000.0)
            self.assertEqual((token.renew_at, token.expires_at), (1000 + renewed_after, 1000 + life))


class Turns(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = TestClock()
        self.turns = pc._TokenCalls(10, self.clock)

    def test_ten_a_minute_in_the_order_of_asking(self) -> None:
        begun = self.clock.now()
        made = []
        for _ in range(35):
            self.turns.wait_for_turn(False, 1000)
            made.append(self.clock.now() - begun)
        self.assertEqual(made, [0] * 10 + [61] * 10 + [122] * 10 + [183] * 5)

    def test_who_would_wait_too_long_is_told_at_once(self) -> None:
        for _ in range(10):
            self.turns.wait_for_turn(False, 60)
        with self.assertRaises(pc.TokenLimitReached) as raised:
            self.turns.wait_for_turn(False, 60)
        self.assertEqual((raised.exception.connection_id, raised.exception.retry_after_seconds), (None, 61))
        self.assertEqual(self.clock.slept, [])
        self.clock.advance(raised.exception.retry_after_seconds)
        self.turns.wait_for_turn(False, 60)

    def test_everybody_waits_as_long_as_the_endpoint_says(self) -> None:
        self.turns.pause(30)
        self.turns.wait_for_turn(False, 60)
        self.assertEqual(self.clock.slept, [30])

    def test_threads_share_the_limit_and_a_merchant_goes_first(self) -> None:
        clock = HeldClock()
        turns = pc._TokenCalls(4, clock)
        made: List[Any] = []

        def call(name: Any) -> None:
            turns.wait_for_turn(name is None, 1000)
            made.append((clock.now(), name))

        def until(is_so: Callable[[], bool], step: float = 0) -> None:
            end = time.monotonic() + 60
            while not is_so():
                self.assertLess(time.monotonic(), end, made)
                clock.advance(step)
                time.sleep(0.001)

        threads = [threading.Thread(target=call, args=(f"c{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        until(lambda: (len(made), clock.sleeping) == (4, 4))
        merchant = threading.Thread(target=call, args=(None,))
        merchant.start()
        until(lambda: clock.sleeping == 5)
        for count in (8, 9):
            clock.advance(pc._WINDOW_SECONDS)
            until(lambda: len(made) >= count, step=0.01)
        for thread in [*threads, merchant]:
            thread.join()
        times = [at for at, _ in made]
        self.assertEqual(len(times), 9)
        for first, fifth in zip(times, times[4:]):
            self.assertGreater(fifth - first, pc._WINDOW_SECONDS - 1)
        self.assertIn(None, [name for _, name in made[:8]])


if __name__ == "__main__":
    unittest.main()

import threading
import unittest
from typing import Any, List

import partner_connect as pc
from tests.world import FAULTY_URL, MovedClock, WorldTest, calls, connect, faults, new_client, new_partner, new_shops, operator

BATCH = "/oauth/api/token/batch"


def token_calls() -> List[Any]:
    return [call.get("status") for call in calls() if call["path"] == BATCH]


class Batches(WorldTest):
    """Five shops of one client. The clock is moved, so that none has an access token when a test begins."""

    ids: List[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.partner = new_partner()
        cls.shops = new_shops(5)
        cls.store = pc.MemoryStore()
        cls.clock = MovedClock()
        options = {"base_url": FAULTY_URL, "store": cls.store, "clock": cls.clock, **cls.partner}
        cls.client = new_client(**options)
        cls.ids = [connect(cls.client, shop).id for shop in cls.shops]

    def setUp(self) -> None:
        super().setUp()
        self.clock.advance(3600)

    def read_all(self) -> List[Any]:
        """What each of the shops says to a thread of its own: its connection's id, or the error."""
        found: List[Any] = [None] * len(self.ids)

        def read(place: int) -> None:
            try:
                found[place] = self.client.shop(self.ids[place]).connection()["id"]
            except pc.PartnerConnectError as error:
                found[place] = error

        threads = [threading.Thread(target=read, args=(place,)) for place in range(len(self.ids))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    def test_what_threads_want_at_the_same_time_goes_together(self) -> None:
        faults({"path": BATCH, "fault": "delay", "ms": 2000})
        self.assertEqual(self.read_all(), self.ids)
        self.assertEqual(token_calls(), [200, 200])

    def test_those_who_wait_for_a_turn_share_it(self) -> None:
        self.client.token_calls.pause(3)
        self.assertEqual(self.read_all(), self.ids)
        self.assertEqual(len(token_calls()), 1)

    def test_one_call_gets_tokens_for_many(self) -> None:
        self.client.refresh_tokens([*self.ids, "a connection that is not stored"])
        self.assertEqual(token_calls(), [200])
        self.client.refresh_tokens(self.ids)
        self.assertEqual(self.read_all(), self.ids)
        self.assertEqual(token_calls(), [200])

    def test_what_is_said_of_one_token_concerns_its_connection_alone(self) -> None:
        operator("connection", "disable", self.ids[1], "--yes")
        self.addCleanup(self.client.source(self.ids[1]).try_again)
        self.addCleanup(operator, "connection", "enable", self.ids[1])
        self.client.refresh_tokens(self.ids)
        found = self.read_all()
        self.assertEqual([type(one) for one in found], [str, pc.ReconnectRequired, str, str, str])
        self.assertEqual((found[1].connection_id, found[1].reason), (self.ids[1], "grant revoked"))
        self.assertEqual(token_calls(), [200])

    def test_a_shop_whose_store_is_away_is_asked_about_again_when_it_was_said(self) -> None:
        endpoint = self.client._tokens
        away = endpoint._outcome({"error": "temporarily_unavailable", "retry_after": 7}, "con_1", 0, "request-1")
        assert isinstance(away, pc.Unavailable)
        self.assertEqual((away.retry_after_seconds, away.request_id), (7.0, "request-1"))
        source = self.client.source(self.ids[0])
        source.settle(self.client.stored(self.ids[0]), away)
        with self.assertRaises(pc.Unavailable):
            self.client.shop(self.ids[0]).connection()
        self.client.refresh_tokens(self.ids[:1])
        self.assertEqual(token_calls(), [])
        self.clock.advance(8)
        self.client.shop(self.ids[0]).connection()

    def test_a_call_that_fails_says_it_of_all_and_costs_no_connection(self) -> None:
        faults({"path": BATCH, "fault": "gateway", "status": 503, "headers": {"retry-after": "3600"}})
        with self.assertRaises(pc.Unavailable) as away:
            self.client.refresh_tokens(self.ids)
        self.assertEqual(away.exception.retry_after_seconds, 3600)
        refused = new_client(**{**self.partner, "client_secret": "wrong"}, store=self.store)
        with self.assertRaises(pc.InvalidClient):
            refused.refresh_tokens(self.ids)
        faults(*[{"path": BATCH, "fault": fault} for fault in ("drop-request", "drop-answer", "cut")])
        self.client.refresh_tokens(self.ids)
        self.assertEqual(self.read_all(), self.ids)
        self.assertEqual(len(token_calls()), 4)

    def test_the_second_half_of_a_minutes_calls_is_spread_over_it(self) -> None:
        turns = pc._TokenCalls(10, self.clock)
        for expected in [0, 0, 0, 0, 0, 0]:
            self.assertEqual(turns.gap(), expected)
            turns.wait_for_turn(False, 0)
        self.assertAlmostEqual(turns.gap(), 6.1, delta=0.1)
        self.clock.advance(6.1)
        self.assertAlmostEqual(turns.gap(), 0, delta=0.1)
        turns.pause(30)
        self.assertAlmostEqual(turns.gap(), 30, delta=0.1)


if __name__ == "__main__":
    unittest.main()

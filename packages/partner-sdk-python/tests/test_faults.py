import unittest
from typing import Any, Dict, List

import partner_connect as pc
from tests.world import (
    ADVANCED_SHOP, API_KEY, BASE_URL, FAULTY_URL, MovedClock, REDIRECT_URI, SHOP, WorldTest, approve, calls, connect, faults,
    new_client, operator, random_faults, response,
)

TOKEN = "/oauth/api/token"
ALL: List[Dict[str, Any]] = [
    {"fault": "drop-request"}, {"fault": "drop-answer"}, {"fault": "cut"}, {"fault": "cut", "afterBytes": 0},
    {"fault": "double", "answer": "first"}, {"fault": "double", "answer": "second"}, {"fault": "delay", "ms": 100},
    {"fault": "gateway", "status": 502}, {"fault": "gateway", "status": 200}, {"fault": "gateway", "status": 503},
]


class Exchange(WorldTest):
    def complete(self, *plan: Dict[str, Any]) -> pc.StoredConnection:
        self.store = pc.MemoryStore()
        self.client = new_client(base_url=FAULTY_URL, store=self.store)
        url, pending = self.client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"])
        callback = approve(url)
        faults(*plan)
        return self.client.complete_authorization(callback, pending)

    def test_is_repeated_while_nothing_happened(self) -> None:
        for fault in ALL:
            if fault["fault"] in ("drop-request", "gateway", "delay") or fault.get("answer") == "first":
                with self.subTest(fault):
                    connection = self.complete({"path": TOKEN, **fault})
                    self.assertEqual(self.client.shop(connection.id).connection()["id"], connection.id)

    def test_whose_answer_is_lost_asks_for_the_merchant_and_stores_nothing(self) -> None:
        for fault in ("drop-answer", "cut"):
            with self.subTest(fault):
                with self.assertRaises(pc.AnswerLost):
                    self.complete({"path": TOKEN, "fault": fault})
                self.assertEqual(list(self.store.list()), [])
                self.assertEqual([call["status"] for call in calls()], [200, 400])
                connect(self.client)

    def test_is_followed_by_the_question_which_shop_it_is_until_that_is_answered(self) -> None:
        for fault in ALL:
            with self.subTest(fault):
                connection = self.complete({"path": "/api/connection", **fault})
                self.assertEqual(self.store.get(connection.id), connection)

    def test_loses_no_token_while_the_api_is_away(self) -> None:
        away = {"path": "/api/connection", "fault": "gateway", "status": 503, "headers": {"retry-after": "3600"}}
        store = pc.MemoryStore()
        client = new_client(base_url=FAULTY_URL, store=store)
        url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"])
        callback = approve(url)
        faults(away)
        with self.assertRaises(pc.Unavailable) as raised:
            client.complete_authorization(callback, pending)
        self.assertEqual(raised.exception.retry_after_seconds, 3600)
        connection = client.complete_authorization(callback, pending)
        self.assertEqual(store.get(connection.id), connection)
        self.assertEqual([call["path"] for call in calls()].count(TOKEN), 1)


class Refresh(WorldTest):
    def setUp(self) -> None:
        super().setUp()
        self.clock = MovedClock()
        self.client = new_client(base_url=FAULTY_URL, clock=self.clock)
        self.connection = connect(self.client)
        self.shop = self.client.shop(self.connection.id)

    def test_is_repeated_whatever_happened(self) -> None:
        for fault in ALL:
            with self.subTest(fault):
                self.clock.advance(3600)
                faults({"path": TOKEN, **fault})
                self.assertEqual(self.shop.connection()["id"], self.connection.id)

    def test_waits_as_long_as_it_is_told_or_says_so_at_once(self) -> None:
        self.clock.advance(3600)
        faults({"path": TOKEN, "fault": "gateway", "status": 429, "headers": {"retry-after": "1"}})
        self.shop.connection()
        self.clock.advance(3600)
        faults({"path": TOKEN, "fault": "gateway", "status": 429, "headers": {"retry-after": "3600"}})
        with self.assertRaises(pc.TokenLimitReached) as limited:
            self.shop.connection()
        self.assertAlmostEqual(limited.exception.retry_after_seconds, 3600, delta=5)
        self.clock.advance(3601)
        faults({"path": TOKEN, "fault": "gateway", "status": 503, "headers": {"retry-after": "3600"}})
        with self.assertRaises(pc.Unavailable) as away:
            self.shop.connection()
        self.assertEqual(away.exception.retry_after_seconds, 3600)
        self.shop.connection()

    def test_that_can_not_be_done_is_our_fault_and_never_a_refusal(self) -> None:
        for client in (
            new_client(base_url="http://127.0.0.1:9", patience_seconds=0.5, store=self.client._store),
            new_client(base_url="https://127.0.0.1:9", patience_seconds=0.5, store=self.client._store),
        ):
            with self.assertRaises(pc.Unavailable):
                client.shop(self.connection.id).connection()


class Api(WorldTest):
    def setUp(self) -> None:
        super().setUp()
        self.shop = pc.shop_with_api_key(base_url=FAULTY_URL, api_key=API_KEY)

    def test_lists_are_complete_whatever_happens_on_the_way(self) -> None:
        records = [response(email=f"{'é' * 50}{n}@customer.example") for n in range(300)]
        operator("response", "import", "--shop", SHOP["id"], "-", records=records)
        wanted = [r["id"] for r in pc.shop_with_api_key(base_url=BASE_URL, api_key=API_KEY).list_responses()]
        self.assertLessEqual({record["id"] for record in records}, set(wanted))
        random_faults(seed=7, one_in=3)
        self.assertEqual([r["id"] for r in self.shop.list_responses(limit=20)], wanted)

    def test_calls_wait_as_long_as_they_are_told(self) -> None:
        for status in (429, 503):
            faults({"path": "/api/", "fault": "gateway", "status": status, "headers": {"retry-after": "1"}})
            self.assertIsNone(self.shop.connection()["id"])
            faults({"path": "/api/", "fault": "gateway", "status": status, "headers": {"retry-after": "3600"}})
            with self.assertRaises(pc.Unavailable) as raised:
                self.shop.connection()
            self.assertEqual(raised.exception.retry_after_seconds, 3600)

    def test_a_source_is_made_once(self) -> None:
        client = new_client(base_url=FAULTY_URL)
        connection = connect(client, ADVANCED_SHOP, "sources:write")
        faults({"path": "/api/sources", "fault": "drop-answer"}, {"path": "/api/sources", "fault": "cut"})
        source = client.shop(connection.id).create_source({"name": "A podcast", "type": "podcast"}, idempotency_key="key-1")
        self.assertEqual([call["status"] for call in calls() if call["path"] == "/api/sources"], [201] * 3)
        again = client.shop(connection.id).create_source({"name": "A podcast", "type": "podcast"}, idempotency_key="key-1")
        self.assertEqual(again, source)

    def test_refusals_are_told_apart(self) -> None:
        with self.assertRaises(pc.InvalidRequest) as wrong:
            list(self.shop.list_responses(sort="newest"))
        self.assertEqual(wrong.exception.param, "sort")
        self.assertTrue(wrong.exception.request_id)
        with self.assertRaises(pc.Unauthorized):
            pc.shop_with_api_key(base_url=BASE_URL, api_key="not-a-key").connection()
        as_token = pc.ShopClient(new_client()._api, pc._FixedCredential(f"Bearer {API_KEY}"), pc.Clock(), 1)
        with self.assertRaisesRegex(pc.Unauthorized, "an API key is sent as it is, without Bearer before it"):
            as_token.connection()
        with self.assertRaises(pc.InsufficientScope):
            self.shop.create_source({"name": "A podcast", "type": "podcast"})
        client = new_client()
        connection = connect(client)
        with self.assertRaises(pc.InsufficientScope) as raised:
            client.shop(connection.id).create_source({"name": "A podcast", "type": "podcast"})
        self.assertEqual(raised.exception.scope, "sources:write")
        for key in ("", "a key", "a\nkey"):
            with self.assertRaises(pc.InvalidRequest):
                pc.shop_with_api_key(base_url=BASE_URL, api_key=key)


if __name__ == "__main__":
    unittest.main()

import unittest
from typing import Any, Dict, List
from unittest import mock

import partner_connect as pc
from tests.world import (
    ADVANCED_SHOP, FAULTY_URL, SHOP, ConnectedTest, WorldTest, approved, calls, connect, faults, new_client, operator, random_faults,
    response,
)

TOKEN = "/oauth/api/token"
ALL: List[Dict[str, Any]] = [
    {"fault": "drop-request"}, {"fault": "drop-answer"}, {"fault": "cut"}, {"fault": "cut", "afterBytes": 0},
    {"fault": "double", "answer": "first"}, {"fault": "double", "answer": "second"}, {"fault": "delay", "ms": 100},
    {"fault": "gateway", "status": 502}, {"fault": "gateway", "status": 200}, {"fault": "gateway", "status": 503},
    {"fault": "gateway", "status": 408},
]


class Exchange(WorldTest):
    def complete(self, *plan: Dict[str, Any]) -> pc.Connection:
        self.client = new_client(base_url=FAULTY_URL)
        complete = approved(self.client)
        faults(*plan)
        return complete()

    def test_an_exchange_is_repeated_if_the_server_did_not_carry_it_out(self) -> None:
        for fault in ALL:
            if fault["fault"] in ("drop-request", "gateway", "delay") or fault.get("answer") == "first":
                with self.subTest(fault):
                    connection = self.complete({"path": TOKEN, **fault})
                    self.assertEqual(self.client.shop(connection.refresh_token).connection()["id"], connection.id)

    def test_an_exchange_whose_response_is_lost_raises_answer_lost(self) -> None:
        for fault in ("drop-answer", "cut"):
            with self.subTest(fault):
                with self.assertRaises(pc.AnswerLost):
                    self.complete({"path": TOKEN, "fault": fault})
                self.assertEqual([call["status"] for call in calls()], [200, 400])
                connect(self.client)

    def test_an_exchange_is_not_repeated_after_a_minute(self) -> None:
        complete = approved(new_client(base_url=FAULTY_URL, patience_seconds=0))
        faults({"path": TOKEN, "fault": "drop-answer"})
        with self.assertRaises(pc.Unavailable):
            complete()
        self.clock.advance(60)
        with self.assertRaises(pc.AnswerLost):
            complete()
        self.assertEqual([call["path"] for call in calls()], [TOKEN])

    def test_a_second_exchange_after_a_lost_response_raises_answer_lost(self) -> None:
        complete = approved(new_client(base_url=FAULTY_URL, patience_seconds=0))
        faults({"path": TOKEN, "fault": "drop-answer"})
        with self.assertRaises(pc.Unavailable):
            complete()
        with self.assertRaises(pc.AnswerLost):
            complete()

    def test_an_exchange_of_an_older_approval_returns_the_newer_connection(self) -> None:
        client = new_client(base_url=FAULTY_URL, patience_seconds=0)
        complete = approved(client)
        faults({"path": "/api/connection", "fault": "gateway", "status": 503})
        with self.assertRaises(pc.Unavailable):
            complete()
        newer = connect(client)
        self.assertEqual(complete(), newer)

    def test_reading_the_connection_after_an_exchange_is_repeated_until_it_succeeds(self) -> None:
        for fault in ALL:
            with self.subTest(fault):
                connection = self.complete({"path": "/api/connection", **fault})
                self.assertEqual(connection.shop_id, SHOP["id"])

    def test_an_exchange_loses_no_token_while_the_api_is_unavailable(self) -> None:
        client = new_client(base_url=FAULTY_URL)
        complete = approved(client)
        faults({"path": "/api/connection", "fault": "gateway", "status": 503, "headers": {"retry-after": "3600"}})
        with self.assertRaises(pc.Unavailable) as raised:
            complete()
        self.assertEqual(raised.exception.retry_after_seconds, 3600)
        connection = complete()
        self.assertEqual(client.shop(connection.refresh_token).connection()["id"], connection.id)
        self.assertEqual([call["path"] for call in calls()].count(TOKEN), 1)


class Refresh(ConnectedTest):
    def test_a_refresh_is_repeated_after_every_fault(self) -> None:
        for fault in ALL:
            with self.subTest(fault):
                self.clock.advance(3600)
                faults({"path": TOKEN, **fault})
                self.assertEqual(self.shop.connection()["id"], self.connection.id)

    def test_a_refresh_waits_for_a_short_retry_after_and_fails_immediately_for_a_long_one(self) -> None:
        for status, error in ((429, pc.RateLimited), (503, pc.Unavailable)):
            self.clock.advance(3600)
            faults({"path": TOKEN, "fault": "gateway", "status": status, "headers": {"retry-after": "1"}})
            began = self.clock.monotonic()
            self.shop.connection()
            self.assertGreaterEqual(self.clock.monotonic() - began, 1)
            self.clock.advance(3600)
            faults({"path": TOKEN, "fault": "gateway", "status": status, "headers": {"retry-after": "3600"}})
            with self.assertRaises(error) as raised:
                self.shop.connection()
            self.assertEqual((type(raised.exception), raised.exception.retry_after_seconds), (error, 3600))
            # A fault says nothing about the connection: the next call works.
            self.shop.connection()

    def test_a_refresh_waits_for_a_retry_after_of_a_minute_after_a_429(self) -> None:
        self.clock.advance(3600)
        faults({"path": TOKEN, "fault": "gateway", "status": 429, "headers": {"retry-after": "60"}})
        with mock.patch.object(self.clock, "sleep", self.clock.advance):
            self.assertEqual(self.shop.connection()["id"], self.connection.id)

    def test_a_refresh_without_a_connection_to_the_server_raises_unavailable(self) -> None:
        for base_url in ("http://127.0.0.1:9", "https://127.0.0.1:9"):
            client = new_client(base_url=base_url, patience_seconds=0.5)
            with self.assertRaises(pc.Unavailable):
                client.shop(self.connection.refresh_token).connection()


class Api(ConnectedTest):
    def test_lists_are_complete_despite_random_faults(self) -> None:
        records = [response(email=f"{'é' * 50}{n}@customer.example") for n in range(300)]
        operator("response", "import", "--shop", SHOP["id"], "-", records=records)
        wanted = [r["id"] for r in new_client().shop(self.connection.refresh_token).list_responses()]
        self.assertLessEqual({record["id"] for record in records}, set(wanted))
        random_faults(seed=7, one_in=3)
        self.assertEqual([r["id"] for r in self.shop.list_responses(limit=20)], wanted)

    def test_lists_accept_filters_and_start_after_a_record(self) -> None:
        first, second, third = ({"inserted_at": f"2021-03-0{day}T00:00:00.000Z"} for day in (1, 2, 3))
        records = [response(**times) for times in (first, second, third)]
        operator("response", "import", "--shop", SHOP["id"], "-", records=records)
        start, end = first["inserted_at"], third["inserted_at"]
        found = list(self.shop.list_responses(sort="inserted_at_asc", limit=1, inserted_at_min=start, inserted_at_max=end))
        self.assertEqual([r["id"] for r in found], [r["id"] for r in records])
        id, time = found[0]["id"], found[0]["inserted_at"]
        rest = self.shop.list_responses(sort="inserted_at_asc", starting_after=id, cursor_time=time, inserted_at_max=end)
        self.assertEqual([r["id"] for r in rest], [r["id"] for r in records[1:]])
        operator("response", "delete", "--shop", SHOP["id"], "--id", id, "--yes")
        last = list(self.shop.list_deleted_responses())[-1]
        self.assertEqual(last["id"], id)
        later = self.shop.list_deleted_responses(starting_after=id, cursor_time=last["deleted_at"])
        self.assertEqual(list(later), [])

    def test_an_api_call_waits_for_a_short_retry_after_and_raises_for_a_long_one(self) -> None:
        for status, error in ((429, pc.RateLimited), (503, pc.Unavailable)):
            faults({"path": "/api/", "fault": "gateway", "status": status, "headers": {"retry-after": "1"}})
            self.assertEqual(self.shop.connection()["id"], self.connection.id)
            faults({"path": "/api/", "fault": "gateway", "status": status, "headers": {"retry-after": "3600"}})
            with self.assertRaises(error) as raised:
                self.shop.connection()
            self.assertEqual((type(raised.exception), raised.exception.retry_after_seconds), (error, 3600))

    def test_api_refusals_raise_errors_with_the_param_or_scope(self) -> None:
        with self.assertRaises(pc.InvalidRequest) as wrong:
            list(self.shop.list_responses(sort="newest"))
        self.assertEqual(wrong.exception.param, "sort")
        self.assertTrue(wrong.exception.request_id)
        with self.assertRaises(pc.InvalidRequest) as edited:
            list(self.shop.list_responses(starting_after="res_none"))
        self.assertEqual(edited.exception.param, "starting_after")
        writer = connect(self.client, ADVANCED_SHOP, "sources:write")
        with self.assertRaises(pc.InsufficientScope) as missing:
            list(self.client.shop(writer.refresh_token).list_responses())
        self.assertEqual(missing.exception.scope, "responses:read")

    def test_a_second_401_raises_unauthorized(self) -> None:
        faults()
        with mock.patch.object(self.shop.tokens, "access_token", lambda: "junk"), self.assertRaises(pc.Unauthorized):
            self.shop.connection()
        self.assertEqual([call["status"] for call in calls()], [401, 401])


if __name__ == "__main__":
    unittest.main()

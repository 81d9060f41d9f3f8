import json
import os
import unittest
from email.message import Message
from typing import Any, Dict, List

import partner_connect as pc
from tests.world import BASE_URL, FAULTY_URL, ConnectedTest, calls, connect, faults, in_threads, new_client, operator

TOKEN = "/oauth/api/token"
PACKAGE = os.path.join(os.path.dirname(__file__), "../package.json")


def token_calls() -> List[Dict[str, Any]]:
    return [call for call in calls() if call["path"] == TOKEN]


class Tokens(ConnectedTest):
    def test_an_access_token_is_reused_until_a_minute_before_its_expiry(self) -> None:
        token = self.shop.tokens.access_token()
        self.clock.advance(900 - 70)
        self.shop.connection()
        self.assertEqual(len(token_calls()), 0)
        self.clock.advance(15)
        self.shop.connection()
        self.shop.connection()
        self.assertEqual(len(token_calls()), 1)
        self.assertNotEqual(self.shop.tokens.access_token(), token)

    def test_all_shops_of_one_refresh_token_share_its_access_token(self) -> None:
        self.clock.advance(3600)
        for _ in range(3):
            self.client.shop(self.connection.refresh_token).connection()
        self.assertEqual(len(token_calls()), 1)

    def test_another_process_needs_only_the_refresh_token(self) -> None:
        other = new_client(base_url=FAULTY_URL).shop(self.connection.refresh_token)
        self.assertEqual(other.connection()["id"], self.connection.id)
        self.assertEqual(len(token_calls()), 1)

    def test_threads_that_need_a_token_make_one_refresh(self) -> None:
        self.clock.advance(3600)
        faults({"path": TOKEN, "fault": "delay", "ms": 200})
        found = in_threads(8, lambda: self.shop.connection()["id"])
        self.assertEqual(found, [self.connection.id] * 8)
        self.assertEqual(len(token_calls()), 1)

    def test_a_failed_early_refresh_leaves_the_valid_token_in_use(self) -> None:
        self.clock.advance(900 - 30)
        faults({"path": TOKEN, "fault": "gateway", "status": 502})
        self.shop.connection()
        self.shop.connection()
        self.assertEqual(len(token_calls()), 1)
        self.clock.advance(11)
        self.shop.connection()
        self.assertEqual([call["status"] for call in token_calls()[1:]], [200])

    def test_an_early_refresh_without_a_response_is_not_repeated_immediately(self) -> None:
        asked = []

        def silent(form: Any, patience: float) -> pc._Answer:
            asked.append(form)
            self.clock.advance(30)
            raise pc.Unavailable("no response", 1)

        now = self.clock.monotonic()
        tokens = pc.TokenSource(silent, "pcr_1", 75, pc._AccessToken("old", now, now + 60))
        self.assertEqual([tokens.access_token(), tokens.access_token()], ["old", "old"])
        self.assertEqual(len(asked), 1)

    def test_a_token_that_the_api_refuses_is_renewed_once(self) -> None:
        self.shop.tokens._token = pc._AccessToken("junk", self.clock.monotonic() + 900, self.clock.monotonic() + 900)
        self.assertEqual(self.shop.connection()["id"], self.connection.id)
        self.assertEqual([call["status"] for call in calls()], [401, 200, 200])

    def test_a_revoked_connection_raises_reconnect_required(self) -> None:
        self.shop.connection()
        operator("connection", "revoke", self.connection.id, "--yes")
        for _ in range(3):
            with self.assertRaises(pc.ReconnectRequired) as raised:
                self.shop.connection()
            self.assertEqual((raised.exception.code, raised.exception.reason), ("reconnect_required", "grant revoked"))
        # A refused token is not sent again and again.
        self.assertEqual(len(token_calls()), 1)

        again = connect(self.client)
        self.assertEqual(again.id, self.connection.id)
        self.client.shop(again.refresh_token).connection()

    def test_a_connection_works_again_after_it_was_disabled_and_enabled(self) -> None:
        operator("connection", "disable", self.connection.id, "--yes")
        with self.assertRaises(pc.ReconnectRequired):
            self.shop.connection()
        operator("connection", "enable", self.connection.id)
        self.clock.advance(1000)
        self.shop.connection()

    def test_a_superseded_refresh_token_raises_reconnect_required(self) -> None:
        connect(self.client)
        with self.assertRaises(pc.ReconnectRequired) as raised:
            new_client().shop(self.connection.refresh_token).connection()
        self.assertEqual(raised.exception.reason, "superseded by a newer authorization")

    def test_an_unknown_refresh_token_raises_invalid_grant(self) -> None:
        with self.assertRaises(pc.InvalidGrant) as raised:
            new_client().shop("pcr_none").connection()
        self.assertTrue(raised.exception.request_id)

    def test_wrong_client_credentials_end_no_connection(self) -> None:
        with self.assertRaises(pc.InvalidClient):
            new_client(client_secret="pcs_wrong").shop(self.connection.refresh_token).connection()
        self.shop.connection()


class Refusals(unittest.TestCase):
    def answer(self, status: int, **document: Any) -> pc._Answer:
        return pc._Answer(status, Message(), document)

    def test_only_the_stable_error_descriptions_raise_reconnect_required(self) -> None:
        for reason in ("refresh token expired", "grant revoked", "superseded by a newer authorization"):
            error = pc._token_refusal(self.answer(400, error="invalid_grant", error_description=reason))
            self.assertEqual((type(error), vars(error)["reason"]), (pc.ReconnectRequired, reason))
        for status, name, description in (
            (400, "invalid_grant", "code expired"), (400, "invalid_request", "grant revoked"), (403, "", ""), (404, "not_found", ""),
        ):
            error = pc._token_refusal(self.answer(status, error=name, error_description=description))
            self.assertNotIsInstance(error, pc.ReconnectRequired)

    def test_a_token_is_renewed_a_minute_before_expiry_or_halfway_if_short_lived(self) -> None:
        for life, renewed_after in ((900, 840), (120, 60), (60, 30), (10, 5)):
            token = pc._access_token(self.answer(200, access_token="t", expires_in=life), 1000.0)
            self.assertEqual((token.renew_at, token.expires_at), (1000 + renewed_after, 1000 + life))

    def test_a_refresh_token_is_checked_before_it_is_sent(self) -> None:
        for token, problem in (("", "is empty"), ("pcr_1\n", "has a space")):
            with self.assertRaisesRegex(pc.InvalidRequest, f"refresh_token {problem}"):
                new_client(base_url=BASE_URL).shop(token)

    def test_the_module_has_the_version_of_package_json(self) -> None:
        with open(PACKAGE) as file:
            self.assertEqual(pc.__version__, json.load(file)["version"])


if __name__ == "__main__":
    unittest.main()

import unittest
from typing import Any, Dict, Optional
from urllib.parse import parse_qs, urlencode, urlsplit

import partner_connect as pc
from tests.world import (
    ADVANCED_SHOP, BASE_URL, CLIENT_ID, CLIENT_SECRET, FAULTY_URL, REDIRECT_URI, SHOP, WorldTest, approve, approved, calls, connect,
    decline, in_threads, new_client,
)


class Connecting(WorldTest):
    def test_an_exchange_returns_the_connected_shop_without_a_refresh(self) -> None:
        client = new_client(base_url=FAULTY_URL)
        connection = connect(client)
        self.assertEqual((connection.shop_id, connection.shop_name), (SHOP["id"], SHOP["name"]))
        self.assertEqual(connection.scope, "responses:read")
        described = client.shop(connection.refresh_token).connection()
        self.assertEqual((described["id"], described["client_id"]), (connection.id, CLIENT_ID))
        # The exchange's access token is used: there is no refresh yet.
        self.assertEqual([call["path"] for call in calls()].count("/oauth/api/token"), 1)

    def test_each_attempt_has_its_own_state_and_verifier(self) -> None:
        client = new_client()
        first, second = (client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"]) for _ in "12")
        for name in ("state", "code_verifier"):
            self.assertNotEqual(first.pending[name], second.pending[name])
        query = parse_qs(urlsplit(first.url).query)
        self.assertEqual(query["code_challenge_method"], ["S256"])
        self.assertNotIn(first.pending["code_verifier"], first.url)

    def test_the_granted_scope_may_be_less_than_the_requested_scope(self) -> None:
        both = "responses:read sources:write"
        client = new_client()
        self.assertEqual(connect(client, SHOP, both).scope, "responses:read")
        self.assertEqual(connect(client, ADVANCED_SHOP, both).scope, both)

    def test_a_double_submit_and_a_reload_within_ten_minutes_get_the_same_connection(self) -> None:
        complete = approved(new_client())
        found = in_threads(5, complete)
        self.assertEqual((len(found), len({connection.refresh_token for connection in found})), (5, 1))
        self.clock.advance(590)
        self.assertEqual(complete(), found[0])
        self.clock.advance(20)
        with self.assertRaises(pc.InvalidGrant):
            complete()


class Refusals(WorldTest):
    def setUp(self) -> None:
        super().setUp()
        # By way of the faulty network, which counts the calls.
        self.client = new_client(base_url=FAULTY_URL)
        self.pending = self.client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"]).pending

    def refused(self, error: Any, callback: Dict[str, str], pending: Optional[Any] = None) -> Any:
        """The callback is refused, and no code is sent anywhere."""
        with self.assertRaises(error) as raised:
            self.client.complete_authorization(f"{REDIRECT_URI}?{urlencode(callback)}", pending or self.pending)
        self.assertEqual(calls(), [])
        return raised.exception

    def callback(self, **changes: Optional[str]) -> Dict[str, str]:
        values: Dict[str, Optional[str]] = {"code": "a-code", "state": self.pending["state"], "iss": BASE_URL, **changes}
        return {name: value for name, value in values.items() if value is not None}

    def test_a_callback_with_another_state_is_refused(self) -> None:
        for state in ("", "another", None, self.pending["state"] + "x", "é"):
            self.refused(pc.StateMismatch, self.callback(state=state))
        with self.assertRaises(pc.StateMismatch):
            self.client.complete_authorization("http://[::1/callback?state=" + self.pending["state"], self.pending)
        twice = f"{REDIRECT_URI}?{urlencode(self.callback())}&state={self.pending['state']}"
        with self.assertRaises(pc.StateMismatch):
            self.client.complete_authorization(twice, self.pending)
        # State comes before everything else.
        self.refused(pc.StateMismatch, self.callback(state="another", iss="https://evil.example", error="access_denied"))

    def test_a_callback_without_a_verifier_is_refused(self) -> None:
        with self.assertRaises(pc.MissingVerifier):
            self.client.complete_authorization(REDIRECT_URI, None)
        for verifier in (None, "", "short", 7, "x" * 129, "ä" * 43):
            self.refused(pc.MissingVerifier, self.callback(), {**self.pending, "code_verifier": verifier})
        self.refused(pc.MissingVerifier, self.callback(), {**self.pending, "state": ""})

    def test_a_callback_of_another_issuer_is_refused(self) -> None:
        for iss in (None, "", "https://evil.example", BASE_URL + "/", BASE_URL.upper()):
            self.refused(pc.IssuerMismatch, self.callback(iss=iss))

    def test_a_refusal_contains_the_error_of_the_callback(self) -> None:
        error = self.refused(pc.InvalidRequest, self.callback(code=None, error="invalid_request", error_description="scope is wrong"))
        self.assertIn("scope is wrong", str(error))
        self.refused(pc.AuthorizationDenied, self.callback(code=None, error="access_denied"))
        self.assertEqual(self.refused(pc.InvalidRequest, self.callback(code=None)).param, "code")

    def test_a_declined_authorization_raises_authorization_denied(self) -> None:
        client = new_client()
        url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"])
        with self.assertRaises(pc.AuthorizationDenied):
            client.complete_authorization(decline(url), pending)

    def test_a_code_of_another_attempt_is_refused(self) -> None:
        client = new_client()
        url, pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"])
        code = parse_qs(urlsplit(approve(url)).query)["code"][0]
        with self.assertRaises(pc.InvalidGrant) as raised:
            client.complete_authorization(f"{REDIRECT_URI}?{urlencode(self.callback(code=code))}", self.pending)
        self.assertTrue(raised.exception.request_id)

    def test_a_base_url_is_refused_if_it_would_expose_secrets(self) -> None:
        for url in (
            "http://connect.example", "http://127.0.0.1.evil.example", "http://localhost.example", "ftp://connect.example",
            "connect.example", "", "https://", "https://user:secret@connect.example", "https://connect.example?a=b", "https://[::1",
            "https://connect.example#x", "http://10.0.0.1",
        ):
            for name in ("base_url", "api_url"):
                with self.assertRaises(pc.InvalidBaseUrl, msg=url) as raised:
                    new_client(**{name: url})
                self.assertNotIn("secret@", str(raised.exception))
        for url in ("https://connect.example/", "http://localhost:8080", "http://127.0.0.1", "http://[::1]:8080", "http://api.localhost"):
            new_client(base_url=url)

    def test_a_malformed_credential_or_scope_is_refused(self) -> None:
        wrong = {
            ("client_id", ""): "client_id is empty", ("client_secret", "pcs_1\n"): "client_secret has a space",
        }
        for (name, value), problem in wrong.items():
            with self.assertRaisesRegex(pc.InvalidRequest, problem) as raised:
                new_client(**{name: value})
            self.assertEqual(raised.exception.param, name)
        for scope in ("responses:read", []):
            with self.assertRaisesRegex(pc.InvalidRequest, "scope must be a list"):
                self.client.begin_authorization(redirect_uri=REDIRECT_URI, scope=scope)

    def test_a_wrong_client_secret_raises_invalid_client(self) -> None:
        client = new_client(client_secret=CLIENT_SECRET[:-1] + "x")
        with self.assertRaisesRegex(pc.InvalidClient, "client_secret by HTTP Basic") as raised:
            connect(client)
        self.assertTrue(raised.exception.request_id)


class Secrets(WorldTest):
    def test_no_error_message_and_no_repr_contains_a_secret(self) -> None:
        client = new_client()
        connection = connect(client)
        shop = client.shop(connection.refresh_token)
        shown = [repr(client), repr(connection), str(connection), repr(shop), repr(vars(shop))]
        pending = client.begin_authorization(redirect_uri=REDIRECT_URI, scope=["responses:read"]).pending
        callback = urlencode({"code": "a-secret-code", "state": pending["state"], "iss": BASE_URL})
        with self.assertRaises(pc.InvalidGrant) as raised:
            client.complete_authorization(f"{REDIRECT_URI}?{callback}", pending)
        error: Optional[BaseException] = raised.exception
        while error is not None:
            shown += [repr(error), repr(vars(error))]
            error = error.__cause__ or error.__context__
        with self.assertRaises(pc.InvalidRequest) as refused:
            client.shop("a-secret-key\r\nX: y")
        shown.append(repr(refused.exception))
        for secret in (CLIENT_SECRET, connection.refresh_token, "a-secret-code", pending["code_verifier"], "a-secret-key"):
            self.assertNotIn(secret, "\n".join(shown))


if __name__ == "__main__":
    unittest.main()

import base64
import hashlib
import hmac
import json
import unittest
from email.message import Message
from typing import Any, Dict, List
from unittest import mock

import partner_connect as pc

NOW = 1_800_000_000
SECRETS = ["whsec_" + base64.b64encode(bytes([n]) * 32).decode() for n in (1, 2)]
BODY = json.dumps({"type": "changes", "timestamp": "2027-01-15T08:00:00.000Z", "data": {"client_id": "c_ü", "kinds": ["responses"]}})


def signature(secret: str, content: bytes) -> str:
    key = base64.b64decode(secret[len("whsec_") :])
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def headers(*signatures: str, id: str = "msg_1", timestamp: Any = NOW) -> Dict[str, str]:
    return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": " ".join(signatures)}


def signed(*secrets: str, body: str = BODY, **options: Any) -> Dict[str, str]:
    head = headers(**options)
    content = f"{head['webhook-id']}.{head['webhook-timestamp']}.{body}".encode()
    return {**head, "webhook-signature": " ".join(signature(secret, content) for secret in secrets)}


def verify(body: Any, sent: Any, secrets: Any, now: int = NOW) -> Dict[str, Any]:
    with mock.patch.object(pc, "time", mock.Mock(time=lambda: now)):
        return pc.verify_webhook(body, sent, secrets)


class Verify(unittest.TestCase):
    def test_the_example_of_the_standard_webhooks_specification_verifies(self) -> None:
        sent = headers("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", id="msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp=1614265330)
        secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        hint = verify('{"test": 2432232314}', sent, secret, now=1614265330)
        self.assertEqual(hint["id"], "msg_p5jXN8AQM9LWM0D4loKWxJek")

    def test_a_webhook_verifies_with_each_form_of_body_and_headers(self) -> None:
        sent = signed(SECRETS[0])
        message = Message()
        for name, value in sent.items():
            message[name.title()] = value
        for body in (BODY, BODY.encode()):
            for form in (sent, {name.title(): value for name, value in sent.items()}, message):
                hint = verify(body, form, SECRETS[0])
                self.assertEqual((hint["id"], hint["data"]["client_id"], hint["data"]["kinds"]), ("msg_1", "c_ü", ["responses"]))

    def test_a_webhook_verifies_with_either_secret_during_a_rotation(self) -> None:
        for sent in (signed(SECRETS[0]), signed(SECRETS[1]), signed(*SECRETS), headers("v9,eA==", signed(SECRETS[1])["webhook-signature"])):
            verify(BODY, sent, SECRETS)
        verify(BODY, signed(*SECRETS), SECRETS[1])

    def test_a_changed_webhook_is_refused(self) -> None:
        good = signed(SECRETS[0])
        wrong: List[Any] = [
            (BODY + " ", good), (BODY.replace("changes", "changed"), good), (BODY, {**good, "webhook-id": "msg_2"}),
            (BODY, {**good, "webhook-timestamp": str(NOW + 1)}), (BODY, signed(SECRETS[1])), (BODY, headers("v1,")), (BODY, headers("v1,ü")),
            (BODY, headers("v1")), (BODY, {**good, "webhook-signature": good["webhook-signature"].replace("v1,", "v1a,")}),
            (json.dumps(json.loads(BODY)).replace(" ", ""), good),
        ]
        for body, sent in wrong:
            with self.subTest(sent), self.assertRaises(pc.InvalidWebhook) as raised:
                verify(body, sent, SECRETS[0])
            self.assertEqual(raised.exception.code, "invalid_webhook")

    def test_a_webhook_is_refused_if_its_timestamp_is_invalid_or_over_five_minutes_off(self) -> None:
        for seconds in (-300, 0, 300):
            verify(BODY, signed(SECRETS[0], timestamp=NOW + seconds), SECRETS)
        for timestamp in (NOW - 301, NOW + 301, "", "soon", f"{NOW}.5", "1" * 13, f"{NOW}\n"):
            with self.subTest(timestamp), self.assertRaises(pc.InvalidWebhook):
                verify(BODY, signed(SECRETS[0], timestamp=timestamp), SECRETS)

    def test_a_webhook_without_one_of_its_headers_is_refused(self) -> None:
        for name in headers():
            with self.assertRaises(pc.InvalidWebhook) as raised:
                verify(BODY, {key: value for key, value in signed(SECRETS[0]).items() if key != name}, SECRETS)
            self.assertIn(name, str(raised.exception))

    def test_a_signed_body_that_is_no_json_object_is_refused(self) -> None:
        for body in ("[1]", "{", "7"):
            with self.assertRaises(pc.InvalidWebhook):
                verify(body, signed(SECRETS[0], body=body), SECRETS)

    def test_a_parsed_body_or_an_invalid_secret_raises_invalid_request(self) -> None:
        with self.assertRaises(pc.InvalidRequest) as parsed:
            verify(json.loads(BODY), signed(SECRETS[0]), SECRETS)
        self.assertEqual(parsed.exception.param, "raw_body")
        for secret in ("", "secret", "whsec_", "whsec_~", SECRETS[0][6:]):
            with self.assertRaises(pc.InvalidRequest) as raised:
                verify(BODY, signed(SECRETS[0]), [secret])
            self.assertEqual(raised.exception.param, "secrets")


if __name__ == "__main__":
    unittest.main()

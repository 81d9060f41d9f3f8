import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, test } from "vitest";
import { endpointSecret, newSecretSource, parseWebhookKeys, signWebhook } from "./secrets.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const OTHER_KEY = "another key of 32 characters....".replaceAll(" ", "-");
const keys = parseWebhookKeys(KEY);
const now = new Date();
const body = JSON.stringify({
  type: "changes",
  timestamp: now.toISOString(),
  data: { client_id: "c", kinds: [] },
});
const sent = { id: "msg_1", body };

function endpoint(id = "whk_1") {
  const source = newSecretSource(keys);
  return { id, source, secret: endpointSecret(keys, id, source) };
}

test("the published Standard Webhooks library verifies a webhook's signature", () => {
  const { id, source, secret } = endpoint();
  const headers = signWebhook(keys, { id, secrets: [source] }, sent, now);
  expect(new Webhook(secret).verify(body, { ...headers })).toEqual(JSON.parse(body));
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const changed of [
    [`${body} `, headers],
    [body, { ...headers, "webhook-id": "msg_2" }],
    [body, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }],
  ] as const) {
    expect(() => new Webhook(secret).verify(changed[0], { ...changed[1] })).toThrow(
      WebhookVerificationError,
    );
  }
});

test("during a rotation a webhook verifies with both secrets, afterwards only with the new secret", () => {
  const [former, newer] = [endpoint(), endpoint()];
  const expires_at = new Date(now.getTime() + 1000).toISOString();
  const secrets = [newer.source, { ...former.source, expires_at }];
  const during = { ...signWebhook(keys, { id: "whk_1", secrets }, sent, now) };
  const after = { ...signWebhook(keys, { id: "whk_1", secrets }, sent, new Date(expires_at)) };
  for (const { secret } of [former, newer]) new Webhook(secret).verify(body, during);
  new Webhook(newer.secret).verify(body, after);
  expect(() => new Webhook(former.secret).verify(body, after)).toThrow(WebhookVerificationError);
});

test("an endpoint's secret can be derived again, and differs per endpoint and rotation", () => {
  const one = endpoint();
  expect(endpointSecret(keys, one.id, one.source)).toBe(one.secret);
  expect(endpoint().secret).not.toBe(one.secret);
  expect(endpointSecret(keys, "whk_2", one.source)).not.toBe(one.secret);
});

test("adding a key to the webhook key file doesn't change endpoint secrets derived from older keys", () => {
  const { id, source, secret } = endpoint();
  const both = parseWebhookKeys(`${OTHER_KEY} ${KEY}`);
  expect(endpointSecret(both, id, source)).toBe(secret);
  expect(newSecretSource(both).key_id).not.toBe(source.key_id);
});

test("a webhook is not signed without the key from which its endpoint's secret was derived", () => {
  const { id, source } = endpoint();
  const sign = () => signWebhook(parseWebhookKeys(OTHER_KEY), { id, secrets: [source] }, sent, now);
  expect(sign).toThrow(/WEBHOOK_KEY_FILE lacks the key [0-9a-f]{12}, which made a secret of whk_1/);
});

test("a key file with a short or missing key is refused", () => {
  const files = [
    [undefined, /is not set/],
    [" \n", /is not set/],
    ["short", /shorter than 32/],
    [`${KEY},short`, /shorter than 32/],
  ] as const;
  for (const [text, problem] of files)
    expect.soft(() => parseWebhookKeys(text), text).toThrow(problem);
});

import { createHmac, randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { verifyWebhook } from "./verify-webhook.ts";

const key = randomBytes(32);
const SECRET = `whsec_${key.toString("base64")}`;
const BODY = JSON.stringify({
  type: "changes",
  timestamp: "2026-11-23T12:00:00.000Z",
  data: { client_id: "client_a", kinds: ["responses"] },
});

function signed({
  body = BODY,
  at = Date.now() / 1000,
  id = "msg_1",
  scheme = "v1",
  secret = key,
} = {}) {
  const timestamp = String(Math.floor(at));
  const content = `${id}.${timestamp}.${body}`;
  const signature = createHmac("sha256", secret).update(content).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `${scheme},${signature}`,
  };
}

const refusal = async (...given: Parameters<typeof verifyWebhook>) =>
  await verifyWebhook(...given).then(
    () => expect.fail("it was accepted"),
    ({ code, message }) => `${code}: ${message}`,
  );

test("a webhook signed with the secret is accepted in every form of body and headers", async () => {
  const hint = { id: "msg_1", ...JSON.parse(BODY) };
  expect(await verifyWebhook(BODY, signed(), SECRET)).toEqual(hint);
  const bytes = new TextEncoder().encode(BODY);
  expect(await verifyWebhook(bytes, new Headers(signed()), [SECRET])).toEqual(hint);
  const upper = Object.fromEntries(
    Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), [value]]),
  );
  expect(await verifyWebhook(bytes.buffer, upper, SECRET)).toEqual(hint);
});

test("while a secret is rotated, a webhook is accepted if any of its signatures matches any secret", async () => {
  const other = `whsec_${randomBytes(32).toString("base64")}`;
  const headers = signed();
  const both = {
    ...headers,
    "webhook-signature": `v1,!! v9,AAAA v1a,AAAA v1,AAAA ${headers["webhook-signature"]}`,
  };
  expect((await verifyWebhook(BODY, both, [other, SECRET])).id).toBe("msg_1");
});

test("a webhook is refused if it is altered, unsigned, of another sender or more than five minutes off", async () => {
  // The clock stands at a full second, however long the calls take.
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 1000) * 1000 });
  const now = Date.now() / 1000;
  const refused = /^invalid_webhook: no signature matches your secret/;
  expect(await refusal(BODY.replace("client_a", "client_b"), signed(), SECRET)).toMatch(refused);
  expect(await refusal(BODY, signed({ secret: randomBytes(32) }), SECRET)).toMatch(refused);
  expect(await refusal(BODY, { ...signed(), "webhook-id": "msg_2" }, SECRET)).toMatch(refused);
  expect(await refusal(BODY, signed({ scheme: "v1a" }), SECRET)).toMatch(refused);
  for (const at of [now - 301, now + 301]) {
    expect(await refusal(BODY, signed({ at }), SECRET)).toMatch(
      /^invalid_webhook: webhook-timestamp is more than five/,
    );
  }
  expect((await verifyWebhook(BODY, signed({ at: now - 300 }), SECRET)).id).toBe("msg_1");
  expect(await refusal(BODY, { ...signed(), "webhook-timestamp": "soon" }, SECRET)).toMatch(
    /^invalid_webhook/,
  );
  for (const name of Object.keys(signed())) {
    expect(await refusal(BODY, { ...signed(), [name]: undefined }, SECRET)).toBe(
      `invalid_webhook: the header ${name} is missing`,
    );
  }
});

test("a parsed body or an invalid secret is reported as invalid_request", async () => {
  expect(await refusal(JSON.parse(BODY), signed(), SECRET)).toMatch(
    /^invalid_request: rawBody must be the body as it/,
  );
  for (const secret of ["", key.toString("base64"), "whsec_", "whsec_%"]) {
    expect(await refusal(BODY, signed(), secret)).toMatch(
      /^invalid_request: a webhook's secret begins with whsec_/,
    );
  }
});

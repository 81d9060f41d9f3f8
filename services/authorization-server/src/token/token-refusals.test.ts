import { beforeEach, expect, test } from "vitest";
import { forgetRefreshTokens } from "../testing/pass-time.ts";
import { suiteReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";

const replicas = await suiteReplicas(1, { LOG_LEVEL: "info" });
const client = await replicas.registerClient({ scope: ["responses:read", "sources:write"] });
const other = await replicas.registerClient();
const shop = await replicas.registerShop();
const forgetEarlier = () => {
  replicas.records.splice(0);
  replicas.activity.take();
};
beforeEach(forgetEarlier);

type Parameters = Record<string, string>;

async function call(
  form: Parameters | string,
  headers: Record<string, string> = { authorization: basic(client) },
) {
  return await replicas.app().inject({
    method: "POST",
    url: "/oauth/api/token",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: typeof form === "string" ? form : new URLSearchParams(form).toString(),
  });
}

async function connect(): Promise<{ code: Parameters; refresh: Parameters }> {
  const code = await newCode();
  const { refresh_token } = (await call(code)).json();
  return { code, refresh: { grant_type: "refresh_token", refresh_token } };
}

async function newCode(): Promise<Parameters> {
  const { code, codeVerifier } = await replicas.approveAndIssueCode({
    clientId: client.clientId,
    ...shop,
  });
  const redirect_uri = "https://partner.example/callback";
  return { grant_type: "authorization_code", code, code_verifier: codeVerifier, redirect_uri };
}

/** The record of the last call. */
const record = () =>
  replicas.records.findLast(({ msg }) => msg === "request") ?? expect.fail("no record");

const change = (set: string) =>
  replicas.sql.unsafe(`UPDATE oauth.connections SET ${set} WHERE shop_id = '${shop.shopId}'`);

const EXCHANGE = { grant_type: "authorization_code", code: "x", redirect_uri: "x" };
const verifying = (code_verifier: string) => ({ ...EXCHANGE, code_verifier });
const EXCHANGE_43 = verifying("v".repeat(43));
const REFRESH = { grant_type: "refresh_token", refresh_token: `pcr_${"a".repeat(43)}_shop_x` };

/** Expects the refusal, with one record, one count, and one example for the client. */
async function expectRefused(
  answering: ReturnType<typeof call>,
  [error, reason, description]: readonly [string, string, string?],
  facts: object = { client_id: client.clientId },
) {
  const { statusCode, headers, ...answer } = await answering;
  const body = { error, error_description: expect.stringMatching(description ?? /./) };
  expect
    .soft([statusCode, answer.json(), headers["cache-control"]])
    .toEqual([400, body, "no-store"]);
  const records = replicas.records.splice(0).filter(({ msg }) => msg === "request");
  const reqId = headers["x-request-id"];
  expect.soft(records).toMatchObject([{ status: 400, reason, reqId, ...facts }]);
  const [example] = replicas.activity.take().filter(({ what }) => what === "token_refused");
  if (!("client_id" in facts)) return;
  const one = { clientId: facts.client_id, reason, count: 1 };
  expect.soft(example).toMatchObject({ ...one, examples: [{ error, requestId: reqId }] });
}

test.each<[string, string, Parameters | string, (Record<string, string> | undefined)?]>([
  ["invalid_request", "not_a_form", "{", { "content-type": "application/json" }],
  ["invalid_request", "unreadable_body", "grant_type=refresh_token", { "content-type": ";" }],
  ["invalid_request", "unreadable_body", "x".repeat(20_000)],
  ["invalid_request", "unreadable_body", REFRESH, { "content-encoding": "gzip" }],
  ["invalid_request", "missing_parameter", ""],
  ["invalid_request", "missing_parameter", { ...EXCHANGE_43, redirect_uri: "" }],
  ["invalid_request", "missing_parameter", { ...EXCHANGE_43, code: "" }],
  ["invalid_request", "missing_parameter", EXCHANGE],
  ["invalid_request", "missing_parameter", { grant_type: "refresh_token" }],
  ["invalid_request", "repeated_parameter", "grant_type=a&grant_type=b"],
  ["invalid_request", "malformed_parameter", `${new URLSearchParams(REFRESH)}%0A`],
  ["invalid_request", "malformed_parameter", { ...EXCHANGE_43, code: " x" }],
  ["invalid_request", "malformed_code_verifier", verifying("v".repeat(42))],
  ["invalid_request", "malformed_code_verifier", verifying("v".repeat(129))],
  ["invalid_request", "malformed_code_verifier", verifying(`${"v".repeat(42)}+`)],
  ["unsupported_grant_type", "unsupported_grant_type", { grant_type: "password" }],
  ["unsupported_grant_type", "unsupported_grant_type", { grant_type: "constructor" }],
  ["invalid_grant", "unknown_code", EXCHANGE_43],
  ["invalid_grant", "unknown_code", { ...EXCHANGE_43, code: "a".repeat(5000) }],
  ["invalid_grant", "unknown_refresh_token", REFRESH],
  ["invalid_grant", "unknown_refresh_token", "grant_type=refresh_token&refresh_token=%00"],
])(
  "a token request gets $0, logged as $1, for the body '$2'",
  async (error, reason, form, headers) => {
    const isRead = reason !== "unreadable_body";
    const answer = call(form, { authorization: basic(client), ...headers });
    await expectRefused(answer, [error, reason], isRead ? undefined : {});
  },
);

test("a token request may repeat parameters that are not read, but no parameter that is read", async () => {
  const { refresh } = await connect();
  const form = new URLSearchParams(refresh);
  const unread = ["resource=a&resource=b", "&=&=", "x=&x=", "code=1&code=2"];
  for (const more of unread) expect((await call(`${form}&${more}`)).statusCode).toBe(200);
  replicas.records.splice(0);
  for (const name of ["grant_type", "refresh_token", "scope"]) {
    const description = `${name} is given more than once`;
    const answer = call(`${form}&${name}=1&${name}=2`);
    await expectRefused(answer, ["invalid_request", "repeated_parameter", description]);
  }
});

const INVALID_CODE = "the code is unknown, expired or already used";
test("the log has a separate reason for each cause of a refused code", async () => {
  const grant = { grant_type: "authorization_code", shop_id: shop.shopId };
  const ours = { client_id: client.clientId, ...grant };
  const refused = async (
    form: Parameters,
    reason: string,
    description: string,
    facts: object = ours,
    as = client,
  ) => {
    forgetEarlier();
    const answer = call(form, { authorization: basic(as) });
    await expectRefused(answer, ["invalid_grant", reason, description], facts);
  };
  const theirs = { client_id: other.clientId };
  await refused(await newCode(), "code_of_another_client", INVALID_CODE, theirs, other);
  const elsewhere = { ...(await newCode()), redirect_uri: "https://partner.example/other" };
  await refused(elsewhere, "redirect_uri_mismatch", "redirect_uri is not the authorized one");
  const unproven = { ...(await newCode()), code_verifier: "x".repeat(43) };
  await refused(unproven, "code_verifier_mismatch", "code_verifier mismatch");
  const { code } = await connect();
  const connected = { ...ours, connection_id: expect.any(String) };
  await refused(code, "code_replayed", INVALID_CODE, connected);
  const [older, revoked] = [await newCode(), await newCode()];
  await refused(older, "grant_superseded", "superseded by a newer authorization", connected);
  await change("disabled = true");
  await refused(revoked, "connection_disabled", "grant revoked", connected);
  await change("disabled = false, status = 'revoked'");
  await refused(revoked, "grant_revoked", "grant revoked", connected);
});

test("the log record of a refused refresh token has the token's shop and connection", async () => {
  const limited = await replicas.registerClient({ grantTypes: ["authorization_code"] });
  const answer = call(REFRESH, { authorization: basic(limited) });
  const refusal = ["unauthorized_client", "grant_type_not_allowed"] as const;
  await expectRefused(answer, refusal, { client_id: limited.clientId });
  const [{ refresh: earlier }, { refresh }] = [await connect(), await connect()];
  const facts = {
    ...{ client_id: client.clientId, grant_type: "refresh_token" },
    ...{ shop_id: shop.shopId, connection_id: expect.any(String) },
  };
  expect((await call(refresh)).statusCode).toBe(200);
  expect(record()).toMatchObject({ ...facts, status: 200 });
  expect(record()).not.toHaveProperty("reason");
  const expired = "status = 'connected', last_used_at = now() - interval '40 days'";
  for (const [form, reason, description, set] of [
    [earlier, "grant_superseded", "superseded by a newer authorization", ""],
    [{ ...refresh, scope: "sources:write" }, "scope_exceeded", "scope", ""],
    [refresh, "connection_disabled", "grant revoked", "disabled = true"],
    [refresh, "grant_revoked", "grant revoked", "disabled = false, status = 'revoked'"],
    [refresh, "refresh_token_expired", "refresh token expired", expired],
  ] as const) {
    if (set) {
      await change(set);
      await forgetRefreshTokens(replicas.redis, client.clientId);
    }
    forgetEarlier();
    const error = reason === "scope_exceeded" ? "invalid_scope" : "invalid_grant";
    await expectRefused(call(form), [error, reason, description], facts);
  }
});

test("the token endpoint refuses another method with 405 and another spelling of the path with 404", async () => {
  const app = replicas.app();
  for (const method of ["GET", "HEAD"] as const) {
    const { headers } = await app.inject({ method, url: "/oauth/api/token" });
    expect(headers).toMatchObject({ allow: "POST", "cache-control": "no-store" });
    expect(headers).toHaveProperty("x-ratelimit-limit", "1000000");
    expect(record()).toMatchObject({ status: 405, reason: "method_not_allowed" });
  }
  for (const url of ["/oauth/api/token/", "/oauth/api/TOKEN", "/oauth//api/token"])
    expect((await app.inject({ method: "POST", url })).statusCode).toBe(404);
});

test("a token request's query parameters, charset, Accept and Origin are ignored", async () => {
  const app = replicas.app();
  const form = "grant_type=refresh_token&refresh_token=a";
  const type = "application/x-www-form-urlencoded; charset=UTF-8";
  const odd = { accept: "text/html", origin: "https://evil.example", "content-type": type };
  for (const [query, payload, error] of [
    [`?${form}`, "", "invalid_request"],
    ["", form, "invalid_grant"],
  ] as const) {
    const headers = { authorization: basic(client), ...odd };
    const answer = await app.inject({
      method: "POST",
      url: `/oauth/api/token${query}`,
      headers,
      payload,
    });
    expect([answer.json().error, answer.headers["content-type"]]).toEqual([
      error,
      "application/json; charset=utf-8",
    ]);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

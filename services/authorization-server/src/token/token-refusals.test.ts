import { beforeEach, describe, expect, test } from "vitest";
import { forgetRefreshTokens } from "../testing/pass-time.ts";
import { suiteReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";

const replicas = await suiteReplicas(1, { LOG_LEVEL: "info" });
const client = await replicas.registerClient({ scope: ["responses:read", "sources:write"] });
const other = await replicas.registerClient();
const shop = await replicas.registerShop();
beforeEach(() => void replicas.records.splice(0));

type Parameters = Record<string, string>;

async function call(
  form: Parameters | string,
  headers: Record<string, string> = { authorization: basic(client) },
) {
  const app = replicas.apps[0] ?? expect.fail("no replica");
  return await app.inject({
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

/** The records of the last call: one. */
function record(): Record<string, unknown> {
  const requests = replicas.records.filter(({ msg }) => msg === "request");
  return requests.at(-1) ?? expect.fail("no record");
}

/** The record of a refused call. */
async function refused(form: Parameters, as = client) {
  expect((await call(form, { authorization: basic(as) })).statusCode).toBe(400);
  return record();
}

const change = (set: string) =>
  replicas.sql.unsafe(`UPDATE oauth.connections SET ${set} WHERE shop_id = '${shop.shopId}'`);

const EXCHANGE = {
  grant_type: "authorization_code",
  code: "x",
  redirect_uri: "x",
  code_verifier: "v".repeat(43),
};
const REFRESH = { grant_type: "refresh_token", refresh_token: `pcr_${"a".repeat(43)}_shop_x` };

describe("every refusal of the token endpoint leaves one record with its reason and its client", () => {
  test("for a malformed request", async () => {
    const refusals: [string, string, Parameters | string, Record<string, string>?][] = [
      ["not_a_form", "invalid_request", "{", { "content-type": "application/json" }],
      ["unreadable_body", "invalid_request", "grant_type=refresh_token", { "content-type": ";" }],
      ["unreadable_body", "invalid_request", "x".repeat(20_000)],
      ["unreadable_body", "invalid_request", REFRESH, { "content-encoding": "gzip" }],
      ["missing_parameter", "invalid_request", ""],
      ["missing_parameter", "invalid_request", { ...EXCHANGE, redirect_uri: "" }],
      ["missing_parameter", "invalid_request", { ...EXCHANGE, code_verifier: "" }],
      ["missing_parameter", "invalid_request", { grant_type: "refresh_token" }],
      ["repeated_parameter", "invalid_request", "grant_type=a&grant_type=b"],
      [
        "malformed_parameter",
        "invalid_request",
        { ...REFRESH, refresh_token: `${REFRESH.refresh_token}\n` },
      ],
      ["malformed_parameter", "invalid_request", { ...EXCHANGE, code: " x" }],
      [
        "malformed_code_verifier",
        "invalid_request",
        { ...EXCHANGE, code_verifier: "v".repeat(42) },
      ],
      [
        "malformed_code_verifier",
        "invalid_request",
        { ...EXCHANGE, code_verifier: "v".repeat(129) },
      ],
      [
        "malformed_code_verifier",
        "invalid_request",
        { ...EXCHANGE, code_verifier: `${"v".repeat(42)}+` },
      ],
      ["unsupported_grant_type", "unsupported_grant_type", { grant_type: "password" }],
      ["unsupported_grant_type", "unsupported_grant_type", { grant_type: "constructor" }],
      ["missing_parameter", "invalid_request", { ...EXCHANGE, code: "" }],
      ["unknown_code", "invalid_grant", EXCHANGE],
      ["unknown_code", "invalid_grant", { ...EXCHANGE, code: "a".repeat(5000) }],
      ["unknown_refresh_token", "invalid_grant", REFRESH],
      ["unknown_refresh_token", "invalid_grant", { ...REFRESH, refresh_token: "\0" }],
    ];
    for (const [reason, error, form, headers] of refusals) {
      const answer = await call(form, { authorization: basic(client), ...headers });
      const told = [answer.statusCode, answer.json().error, answer.headers["cache-control"]];
      expect.soft(told, JSON.stringify(form)).toEqual([400, error, "no-store"]);
      const client_id = reason === "unreadable_body" ? {} : { client_id: client.clientId };
      expect
        .soft(record(), JSON.stringify(form))
        .toMatchObject({ status: 400, reason, ...client_id });
    }
  });

  test("a parameter that is not read may be repeated, and one that is read is named", async () => {
    const { refresh } = await connect();
    const form = new URLSearchParams(refresh);
    const unread = ["resource=a&resource=b", "&=&=", "x=&x=", "code=1&code=2"];
    for (const more of unread) expect((await call(`${form}&${more}`)).statusCode).toBe(200);
    for (const name of ["grant_type", "refresh_token", "scope"]) {
      const answer = await call(`${form}&${name}=1&${name}=2`);
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { error: "invalid_request", error_description: `${name} is given more than once` },
      ]);
    }
  });

  test("for a code: the record distinguishes the causes of one response", async () => {
    const refusals = [
      await refused(await newCode(), other),
      await refused({ ...(await newCode()), redirect_uri: "https://partner.example/other" }),
      await refused({ ...(await newCode()), code_verifier: "x".repeat(43) }),
      await refused((await connect()).code),
    ];
    const [older, revoked] = [await newCode(), await newCode()];
    refusals.push(await refused(older));
    await change("status = 'revoked'");
    refusals.push(await refused(revoked));
    const { shopId: shop_id } = shop;
    const ours = { client_id: client.clientId, grant_type: "authorization_code", shop_id };
    expect(refusals).toMatchObject([
      { reason: "code_of_another_client", client_id: other.clientId },
      { ...ours, reason: "redirect_uri_mismatch" },
      { ...ours, reason: "code_verifier_mismatch" },
      { ...ours, reason: "code_replayed", connection_id: expect.any(String) },
      { ...ours, reason: "grant_superseded" },
      { ...ours, reason: "grant_revoked" },
    ]);
  });

  test("for a refresh token, with its shop and its connection", async () => {
    const limited = await replicas.registerClient({ grantTypes: ["authorization_code"] });
    expect(await refused(REFRESH, limited)).toMatchObject({
      reason: "grant_type_not_allowed",
      client_id: limited.clientId,
    });
    const [{ refresh: earlier }, { refresh }] = [await connect(), await connect()];
    const connection = {
      client_id: client.clientId,
      shop_id: shop.shopId,
      connection_id: expect.any(String),
    };
    expect((await call(refresh)).statusCode).toBe(200);
    expect(record()).toMatchObject({ ...connection, grant_type: "refresh_token", status: 200 });
    expect(record()).not.toHaveProperty("reason");
    const refusals = [
      await refused(earlier),
      await refused({ ...refresh, scope: "sources:write" }),
    ];
    for (const changed of [
      "disabled = true",
      "disabled = false, status = 'revoked'",
      "status = 'connected', last_used_at = now() - interval '40 days'",
    ]) {
      await change(changed);
      await forgetRefreshTokens(replicas.redis, client.clientId);
      refusals.push(await refused(refresh));
    }
    expect(refusals).toMatchObject(
      [
        "grant_superseded",
        "scope_exceeded",
        "connection_disabled",
        "grant_revoked",
        "refresh_token_expired",
      ].map((reason) => ({ ...connection, reason })),
    );
  });

  test("another method or path", async () => {
    const app = replicas.apps[0] ?? expect.fail("no replica");
    for (const method of ["GET", "HEAD"] as const) {
      const { headers } = await app.inject({ method, url: "/oauth/api/token" });
      expect(headers).toMatchObject({ allow: "POST", "x-ratelimit-limit": "1000000" });
      expect(record()).toMatchObject({ status: 405, reason: "method_not_allowed" });
    }
    for (const url of ["/oauth/api/token/", "/oauth/api/TOKEN", "/oauth//api/token"])
      expect((await app.inject({ method: "POST", url })).statusCode).toBe(404);
  });
});

test("query parameters do not count; a charset, Accept and Origin change nothing", async () => {
  const app = replicas.apps[0] ?? expect.fail("no replica");
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

import { once } from "node:events";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import {
  clientDetails,
  hashCredential,
  newCredential,
  rotateClientSecret,
  storeSecretUses,
} from "@partner-connect/directory";
import { expect, test, vi } from "vitest";
import { CLIENT_AUTHENTICATION_FAILED, CLIENT_DISABLED } from "../protocol.ts";
import { outliveClientCache } from "../testing/pass-time.ts";
import { type RegisteredClient, suiteReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";

const REFUSAL = { error: "invalid_client", error_description: CLIENT_AUTHENTICATION_FAILED };

const replicas = await suiteReplicas(1, { LOG_LEVEL: "info" });
const client = await replicas.registerClient();
const expired = await replicas.registerClient();

async function post(
  headers: Record<string, string>,
  form: Record<string, string> = {},
  query = "",
) {
  const response = await replicas.app().inject({
    method: "POST",
    url: `/oauth/api/token${query}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "pcr_junk",
      ...form,
    }).toString(),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const encode = (text: string) => Buffer.from(text).toString("base64");

test("Basic credentials may be percent-encoded, with the scheme in any case and the same client_id as a parameter", async () => {
  const escaped = (text: string) =>
    [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
  const authorization = `bAsIc ${encode(`${escaped(client.clientId)}:${escaped(client.secret)}`)}`;
  const { status, body } = await post({ authorization }, { client_id: client.clientId });
  expect({ status, error: body.error }).toEqual({ status: 400, error: "invalid_grant" });
});

test("client authentication accepts a new secret immediately, even if the client was cached just before", async () => {
  const own = await replicas.registerClient();
  await post({ authorization: basic(own) });
  const { secret } = await rotateClientSecret(replicas.sql, own.clientId, 3600, {
    name: "operator:test",
  });
  const { status, body } = await post({ authorization: basic({ ...own, secret }) });
  expect({ status, error: body.error }).toEqual({ status: 400, error: "invalid_grant" });
});

const registered = { client_id: client.clientId, client_secret: client.secret };
const changed = (change: Partial<RegisteredClient>) => basic({ ...client, ...change });
/** The reason in the record, the Authorization header, the form and the query. */
const refusals: [string, string | null, Record<string, string>?, string?][] = [
  ["no_credentials", null],
  ["no_credentials", null, registered],
  ["no_credentials", null, {}, `?${new URLSearchParams(registered)}`],
  ["misplaced_credentials", basic(client), { client_secret: client.secret }],
  ["misplaced_credentials", basic(client), { client_id: "client_other" }],
  ["misplaced_credentials", basic(client), {}, "?client_secret=x"],
  ["misplaced_credentials", basic(client), {}, "?x=?&client_secret=x"],
  [
    "misplaced_credentials",
    basic(client),
    { client_id: client.clientId },
    "?client_id=client_other",
  ],
  ["malformed_credentials", "Bearer abc"],
  ["malformed_credentials", "Basic ***"],
  ["malformed_credentials", `Basic ${encode(client.clientId)}`],
  ["malformed_credentials", `Basic ${encode(`${client.clientId}:%zz`)}`],
  ["wrong_secret", changed({ secret: newCredential("pcs") })],
  ["wrong_secret", changed({ secret: "" })],
  ["expired_secret", basic(expired)],
  ["unknown_client", changed({ clientId: "client_unknown" })],
  ["unknown_client", changed({ clientId: "__proto__" })],
];

test("missing, misplaced and wrong credentials get the same 401 invalid_client, and the log has the reason", async () => {
  await replicas.sql`
      UPDATE directory.client_secrets SET expires_at = now() - interval '1 second' WHERE client_id = ${expired.clientId}`;
  for (const [n, [reason, authorization, form, query]] of refusals.entries()) {
    const name = `${n}: ${reason}`;
    const { status, headers, body } = await post(
      { ...(authorization && { authorization }) },
      form,
      query,
    );
    expect.soft({ status, body }, name).toEqual({ status: 401, body: REFUSAL });
    expect
      .soft(headers, name)
      .toMatchObject({ "www-authenticate": 'Basic realm="token"', "cache-control": "no-store" });
    const records = replicas.records.filter(({ reqId }) => reqId === headers["x-request-id"]);
    expect.soft(records, name).toMatchObject([{ route: "/oauth/api/token", status: 401, reason }]);
    expect.soft("client_id" in (records[0] ?? {}), name).toBe(/_secret$/.test(reason));
    expect.soft(JSON.stringify(records), name).not.toContain(client.secret);
  }
});

test("client authentication refuses two Authorization headers with the same 401, even if both are right", async () => {
  const address = await replicas.app().listen({
    host: "127.0.0.1",
    port: 0,
  });
  const type = ["content-type", "application/x-www-form-urlencoded"];
  const headers = ["host", new URL(address).host, ...type];
  for (const _ of [1, 2]) headers.push("authorization", basic(client));
  const call = request(`${address}/oauth/api/token`, { method: "POST", headers }).end(
    "grant_type=refresh_token",
  );
  const [answer] = await once(call, "response");
  expect([answer.statusCode, await json(answer)]).toEqual([
    401,
    { error: "invalid_client", error_description: expect.any(String) },
  ]);
});

test("a disabled client is refused, and gets the reason only with the right secret", async () => {
  const disabled = await replicas.registerClient();
  const old = { ...disabled, secret: newCredential("pcs") };
  await replicas.sql`INSERT INTO directory.client_secrets (client_id, secret_hash, expires_at)
      VALUES (${disabled.clientId}, ${hashCredential(old.secret)}, now() - interval '1 second')`;
  expect((await post({ authorization: basic(disabled) })).status).toBe(400);
  await replicas.sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${disabled.clientId}`;
  outliveClientCache();
  expect((await post({ authorization: basic(disabled) })).body).toEqual({
    ...REFUSAL,
    error_description: CLIENT_DISABLED,
  });
  const alike = ({ status, headers }: Awaited<ReturnType<typeof post>>) => [
    status,
    Object.entries(headers).filter(
      ([name]) => !/^(date|content-length|x-request-id|x-ratelimit-.*)$/.test(name),
    ),
  ];
  const told = await post({ authorization: basic(disabled) });
  for (const stranger of [
    { ...disabled, secret: newCredential("pcs") },
    { ...disabled, secret: "" },
    old,
  ]) {
    const refused = await post({ authorization: basic(stranger) });
    expect([refused.body, alike(refused)]).toEqual([REFUSAL, alike(told)]);
  }
  const misplaced = await post(
    { authorization: basic(disabled) },
    { client_secret: disabled.secret },
  );
  expect(misplaced.body).toEqual(REFUSAL);
  for (const [method, url] of [
    ["GET", "/oauth/api/connections"],
    ["GET", "/oauth/api/changes"],
    ["POST", "/oauth/api/revoke"],
    ["POST", "/oauth/api/token/batch"],
  ] as const) {
    const answer = await replicas.app().inject({
      method,
      url,
      headers: { authorization: basic(disabled) },
    });
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 401, told.body]);
  }
  await replicas.sql`UPDATE directory.clients SET status = 'active' WHERE client_id = ${disabled.clientId}`;
  outliveClientCache();
  expect((await post({ authorization: basic(disabled) })).status).toBe(400);
});

test("during a rotation both secrets are accepted, and the hour of each secret's last use is stored", async () => {
  // The whole test takes place in one hour.
  vi.useFakeTimers({ toFake: ["Date"] });
  const rotated = await replicas.registerClient();
  const next = (
    await rotateClientSecret(replicas.sql, rotated.clientId, 3600, { name: "operator:test" })
  ).secret;
  await replicas.sql`UPDATE directory.client_secrets SET created_at = now() - interval '1 hour' WHERE client_id = ${rotated.clientId}`;
  const uses = async () =>
    (await clientDetails(replicas.sql, rotated.clientId)).secrets.map((each) => each.lastUsedAt);
  const { secretUses } = replicas;
  await post({ authorization: basic({ ...rotated, secret: "pcs_wrong" }) });
  await secretUses.flush();
  expect(await uses()).toEqual([null, null]);
  expect((await post({ authorization: basic(rotated) })).status).toBe(400);
  const noted = secretUses.take();
  await storeSecretUses(replicas.sql, noted);
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  expect(await uses()).toEqual([null, hour]);
  expect((await post({ authorization: basic({ ...rotated, secret: next }) })).status).toBe(400);
  const later = secretUses.take().map((use) => ({ ...use, hour: use.hour + 3_600_000 }));
  await Promise.all([
    storeSecretUses(replicas.sql, later),
    storeSecretUses(replicas.sql, [...later, ...noted]),
  ]);
  expect(await uses()).toEqual([new Date(hour.getTime() + 3_600_000), hour]);
  // A use in an hour that is already stored is not noted again.
  outliveClientCache();
  await post({ authorization: basic(rotated) });
  expect(secretUses.take()).toEqual([]);
});

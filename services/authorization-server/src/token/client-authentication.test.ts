import { hashCredential, newCredential } from "@partner-connect/directory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RegisteredClient, type Replicas, startReplicas } from "../testing/replicas.ts";
import { basic } from "../testing/token-calls.ts";
import { CLIENT_AUTHENTICATION_FAILED } from "./client-authentication.ts";

const REFUSAL = { error: "invalid_client", error_description: CLIENT_AUTHENTICATION_FAILED };

let replicas: Replicas;
let client: RegisteredClient;

beforeAll(async () => {
  replicas = await startReplicas(1);
  client = await replicas.registerClient();
});
afterAll(() => replicas.stop());

async function post(headers: Record<string, string | string[]>, form: Record<string, string> = {}, query = "") {
  const response = await replicas.apps[0]?.inject({
    method: "POST",
    url: `/oauth/api/token${query}`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "pcr_junk", ...form }).toString(),
  });
  if (!response) throw new Error("no replica");
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

const encode = (text: string) => Buffer.from(text).toString("base64");

describe("client authentication", () => {
  test("HTTP Basic identifies the client", async () => {
    const { status, body } = await post({ authorization: basic(client) });
    expect({ status, error: body.error }).toEqual({ status: 400, error: "invalid_grant" });
  });

  test("credentials may be percent-encoded, the scheme is case-insensitive, client_id may stand beside it", async () => {
    const escaped = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
    const authorization = `bAsIc ${encode(`${escaped(client.clientId)}:${escaped(client.secret)}`)}`;
    const { status, body } = await post({ authorization }, { client_id: client.clientId });
    expect({ status, error: body.error }).toEqual({ status: 400, error: "invalid_grant" });
  });

  const refusals: [string, () => Parameters<typeof post>][] = [
    ["no credentials", () => [{}]],
    ["credentials in the body", () => [{}, { client_id: client.clientId, client_secret: client.secret }]],
    ["a secret in the body beside Basic", () => [{ authorization: basic(client) }, { client_secret: client.secret }]],
    ["another client_id in the body", () => [{ authorization: basic(client) }, { client_id: "client_other" }]],
    [
      "credentials in the query",
      () => [{}, {}, `?client_id=${client.clientId}&client_secret=${encodeURIComponent(client.secret)}`],
    ],
    ["a bearer token", () => [{ authorization: "Bearer abc" }]],
    ["Basic without anything", () => [{ authorization: "Basic" }]],
    ["Basic without base64", () => [{ authorization: "Basic ***" }]],
    ["Basic without a colon", () => [{ authorization: `Basic ${encode(client.clientId)}` }]],
    ["a broken percent-escape", () => [{ authorization: `Basic ${encode(`${client.clientId}:%zz`)}` }]],
    ["a wrong secret", () => [{ authorization: basic({ ...client, secret: newCredential("pcs") }) }]],
    ["a cut-off secret", () => [{ authorization: basic({ ...client, secret: client.secret.slice(0, -1) }) }]],
    ["an empty secret", () => [{ authorization: basic({ ...client, secret: "" }) }]],
    ["an unknown client", () => [{ authorization: basic({ ...client, clientId: "client_unknown" }) }]],
    ["a client id with NUL", () => [{ authorization: `Basic ${encode(`a\0b:${client.secret}`)}` }]],
    ["a prototype's name", () => [{ authorization: basic({ ...client, clientId: "__proto__" }) }]],
  ];

  test.each(refusals)("%s is the same 401 invalid_client", async (_name, request) => {
    const { status, headers, body } = await post(...request());
    expect({ status, body }).toEqual({ status: 401, body: REFUSAL });
    expect(headers["www-authenticate"]).toBe('Basic realm="token"');
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("a disabled client is invalid_client within a second, and can come back", async () => {
    const disabled = await replicas.registerClient();
    expect((await post({ authorization: basic(disabled) })).status).toBe(400);
    await replicas.sql`UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${disabled.clientId}`;
    await expect
      .poll(async () => (await post({ authorization: basic(disabled) })).body, { timeout: 1000 })
      .toEqual(REFUSAL);
    await replicas.sql`UPDATE directory.clients SET status = 'active' WHERE client_id = ${disabled.clientId}`;
    await expect.poll(async () => (await post({ authorization: basic(disabled) })).status, { timeout: 1000 }).toBe(400);
  });

  test("during a rotation with overlap both secrets work, and the old one ends at its time", async () => {
    const rotated = await replicas.registerClient();
    const next = { ...rotated, secret: newCredential("pcs") };
    await replicas.sql`UPDATE directory.client_secrets SET expires_at = now() + interval '1500 milliseconds'
      WHERE client_id = ${rotated.clientId}`;
    await replicas.sql`INSERT INTO directory.client_secrets (client_id, secret_hash)
      VALUES (${rotated.clientId}, ${hashCredential(next.secret)})`;
    expect((await post({ authorization: basic(rotated) })).status).toBe(400);
    expect((await post({ authorization: basic(next) })).status).toBe(400);
    await expect.poll(async () => (await post({ authorization: basic(rotated) })).status, { timeout: 3000 }).toBe(401);
    expect((await post({ authorization: basic(next) })).status).toBe(400);
  });
});

import { generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ISSUER, suiteServer, type TestShop, testResourceServer } from "./testing.ts";

const server = await suiteServer({ logLevel: "info" });
let shop: TestShop;

beforeAll(async () => {
  shop = await server.newShop();
});

/** The record of this answer's request. It is written when the answer has been sent, which may be after it is here. */
async function recordOf(answer: Response): Promise<Record<string, unknown>> {
  const id = answer.headers.get("x-request-id");
  const find = () => server.records.filter(({ reqId, msg }) => reqId === id && msg === "request");
  return await vi.waitFor(() => {
    const [record, ...others] = find();
    if (!record) throw new Error(`no record of ${answer.url}`);
    expect(others).toEqual([]);
    return record;
  }, 10_000);
}

const bearer = (token: string) => `Bearer ${token}`;
const now = () => Math.floor(Date.now() / 1000);
const callerOf = ({ id, clientId, connectionId }: TestShop) => ({
  client_id: clientId,
  shop_id: id,
  connection_id: connectionId,
});

describe("every refusal of the API leaves one record with its reason, of which the caller learns nothing", () => {
  const signed = (claims: object, header = {}) => server.issuer.sign(server.claims(shop, claims), header);

  test.each<[string, () => Promise<string | null> | string | null]>([
    ["no_credential", () => null],
    ["no_credential", () => "Basic secret"],
    ["malformed_credential", () => "Bearer"],
    ["malformed_credential", () => bearer(shop.apiKey)],
    ["malformed_token", () => bearer("secret")],
    ["malformed_token", async () => bearer(await signed({ generation: "1" }))],
    ["token_expired", async () => bearer(await signed({ exp: now() - 1 }))],
    ["token_not_yet_valid", async () => bearer(await signed({ iat: now() + 100 }))],
    ["wrong_issuer", async () => bearer(await signed({ iss: "https://evil.example" }))],
    ["wrong_audience", async () => bearer(await signed({ aud: ISSUER }))],
    ["unknown_key", async () => bearer(await signed({}, { kid: "another" }))],
    ["bad_signature", () => forged()],
    ["unknown_api_key", () => `pck_${"a".repeat(43)}`],
    ["revoked_api_key", () => revokedKey()],
  ])("401: %s", async (reason, authorization) => {
    const answer = await server.get("/api/responses", await authorization());
    expect(await recordOf(answer)).toMatchObject({ route: "/api/responses", status: 401, reason, level: 30 });
    expect(JSON.stringify(server.records)).not.toContain("secret");
  });

  async function forged(): Promise<string> {
    const { privateKey } = await generateKeyPair("EdDSA");
    const token = new SignJWT(server.claims(shop)).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", kid: "key-1" });
    return bearer(await token.sign(privateKey));
  }

  async function revokedKey(): Promise<string> {
    const { apiKey, apiKeyId } = await server.newShop();
    await server.owner`UPDATE directory.api_keys SET revoked_at = now() WHERE id = ${apiKeyId}`;
    return apiKey;
  }

  test.each([
    ["connection_revoked", "oauth.connections", "status = 'revoked', generation = 2"],
    ["connection_not_exchanged", "oauth.connections", "status = 'approved'"],
    ["connection_disabled", "oauth.connections", "disabled = true, generation = 2"],
    ["token_superseded", "oauth.connections", "generation = 2"],
    ["client_disabled", "directory.clients", "status = 'disabled'"],
  ])("403 forbidden: %s", async (reason, table, change) => {
    const held = await server.newShop();
    await server.owner.unsafe(`UPDATE ${table} SET ${change} WHERE client_id = '${held.clientId}'`);
    const answer = await server.get("/api/questions?limit=x", bearer(held.token));
    expect(await recordOf(answer)).toMatchObject({ status: 403, reason, ...callerOf(held) });
  });

  test("403 forbidden: unknown_connection", async () => {
    const gone = await server.newShop();
    await server.owner`DELETE FROM oauth.connections WHERE id = ${gone.connectionId}`;
    const answer = await server.get("/api/responses", bearer(gone.token));
    expect(await recordOf(answer)).toMatchObject({ status: 403, reason: "unknown_connection" });
  });

  const source = (authorization: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/sources`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body,
    });

  test("403 insufficient_scope: of the token, the connection or the plan", async () => {
    const [lacking, whole] = [await server.newShop({ scope: ["responses:read"] }), await server.newShop()];
    const narrowed = await server.issuer.sign(server.claims(whole, { scope: "responses:read" }));
    const cases = [
      ["token_lacks_scope", bearer(narrowed)],
      ["connection_lacks_scope", bearer(await server.issuer.sign(server.claims(lacking)))],
      ["plan_lacks_scope", bearer((await server.newShop({ plan: "standard" })).token)],
      ["plan_lacks_scope", (await server.newShop({ plan: "standard" })).apiKey],
    ] as const;
    for (const [reason, authorization] of cases) {
      const answer = await source(authorization, '{"name":"A","type":"podcast"}');
      expect(await recordOf(answer)).toMatchObject({ status: 403, reason, shop_id: expect.any(String) });
    }
  });

  test("what can't be read or is not there", async () => {
    const authorization = bearer(shop.token);
    const cases: [string, number, Promise<Response>][] = [
      ["invalid_parameter", 400, server.get("/api/responses?limit=0", authorization)],
      ["unknown_cursor", 400, server.get("/api/responses?starting_after=x", authorization)],
      ["malformed_body", 400, source(authorization, "{")],
      ["invalid_parameter", 400, source(authorization, "{}")],
      ["payload_too_large", 413, source(authorization, JSON.stringify({ name: "x".repeat(40_000) }))],
      ["unsupported_media_type", 415, source(authorization, "x", { "content-type": "text/plain" })],
      ["not_found", 404, server.get("/api/secret", authorization)],
      ["method_not_allowed", 405, fetch(`${server.url}/api/responses`, { method: "DELETE" })],
    ];
    for (const [reason, status, asked] of cases) {
      const answer = await asked;
      expect([reason, answer.status]).toEqual([reason, status]);
      expect(await recordOf(answer)).toMatchObject({ status, reason });
    }
  });

  test("429: which limit; 503: what was away", async () => {
    const limited = await testResourceServer({ logLevel: "info", apiRateLimit: 1, sharedWith: server });
    const authorization = bearer((await server.newShop()).token);
    for (const status of [200, 429]) expect((await limited.get("/api/questions", authorization)).status).toBe(status);
    await expect
      .poll(() => limited.records.at(-1))
      .toMatchObject({ status: 429, reason: "rate_limited", limit: "api" });
    await limited.close();
    const away = await testResourceServer({ logLevel: "info", issuerAway: true });
    const answer = await away.get("/api/questions", bearer(await away.issuer.sign(away.claims(shop))));
    expect(answer.status).toBe(503);
    await expect.poll(() => away.records.at(-1)).toMatchObject({ status: 503, reason: "keys_unavailable", level: 40 });
    await away.close();
  });
});

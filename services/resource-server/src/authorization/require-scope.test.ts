import { describe, expect, test } from "vitest";
import { ISSUER, suiteServer } from "../testing.ts";

const server = await suiteServer();

const post = (authorization: string, body: string): Promise<Response> =>
  fetch(`${server.url}/api/sources`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body,
  });

describe("scope", () => {
  const insufficient = '{"error":"insufficient_scope"}';
  const source = JSON.stringify({ name: "A", type: "podcast" });

  test("what the token, the connection or the shop's plan lacks is refused, before the input counts", async () => {
    const shop = await server.newShop();
    const narrow = await server.issuer.sign(server.claims(shop, { scope: "responses:read" }));
    const write = await server.issuer.sign(server.claims(shop, { scope: "sources:write" }));
    const dropped = await server.newShop();
    await server.owner`UPDATE oauth.connections SET scope = '{sources:write}' WHERE id = ${dropped.connectionId}`;
    const standard = await server.newShop({ plan: "standard" });
    const answers = [
      await post(`Bearer ${narrow}`, source),
      await post(`Bearer ${narrow}`, "{"),
      await server.get("/api/responses", `Bearer ${write}`),
      await server.get("/api/responses?limit=0", `Bearer ${write}`),
      await server.get("/api/questions", `Bearer ${write}`),
      await server.get("/api/responses", `Bearer ${dropped.token}`),
      await server.get("/api/responses?limit=0", `Bearer ${dropped.token}`),
      await post(`Bearer ${standard.token}`, source),
      await post(`Bearer ${standard.token}`, "{}"),
      await post(standard.apiKey, source),
    ];
    for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([403, insufficient]);
    // RFC 6750 §3.1; the last one came with an API key.
    const challenge = (scope: string) =>
      `Bearer realm="partner-connect", error="insufficient_scope", scope="${scope}", resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/api"`;
    const [writing, reading] = [challenge("sources:write"), challenge("responses:read")];
    const challenges = answers.map(({ headers }) => headers.get("www-authenticate"));
    expect(challenges).toEqual([writing, writing, reading, reading, reading, reading, reading, writing, writing, null]);
    expect((await server.get("/api/responses", standard.apiKey)).status).toBe(200);
    expect((await post(`Bearer ${write}`, source)).status).toBe(201);
  });
});

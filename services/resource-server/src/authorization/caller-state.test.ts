import { describe, expect, test } from "vitest";
import { suiteServer, type TestShop } from "../testing.ts";

const server = await suiteServer();

const post = (authorization: string, body: string, type = "application/json"): Promise<Response> =>
  fetch(`${server.url}/api/sources`, { method: "POST", headers: { authorization, "content-type": type }, body });

/** Every kind of request that a live caller could make, right and wrong. */
async function everything(shop: TestShop): Promise<Response[]> {
  const bearer = `Bearer ${shop.token}`;
  return await Promise.all([
    server.get("/api/responses", bearer),
    server.get("/api/questions", bearer),
    server.get("/api/connection", bearer),
    server.get("/api/deleted-responses", bearer),
    server.get("/api/deleted-responses?starting_after=unknown", bearer),
    server.get("/api/responses?limit=x", bearer),
    server.get("/api/responses?starting_after=unknown", bearer),
    server.get("/api/responses?sort=updated_at_asc&updated_at_min=2024-01-01T00:00:00Z&inserted_at_max=%zz", bearer),
    server.get("/api/questions?starting_after=x", bearer),
    post(bearer, JSON.stringify({ name: "A", type: "podcast" })),
    post(bearer, "{"),
    post(bearer, "x", "text/plain"),
    post(bearer, JSON.stringify({ name: "x".repeat(40_000), type: "podcast" })),
  ]);
}

async function expectForbidden(responses: readonly Response[]): Promise<void> {
  for (const response of responses) {
    expect([response.url, response.status, await response.text()]).toEqual([
      response.url,
      403,
      '{"error":"forbidden"}',
    ]);
  }
}

describe("a connection that may not call is forbidden, before its scope and its input count", () => {
  test.each([
    [
      "revoked",
      (shop: TestShop) => server.owner`
      UPDATE oauth.connections SET status = 'revoked', generation = 2 WHERE id = ${shop.connectionId}`,
    ],
    [
      "disabled",
      (shop: TestShop) => server.owner`
      UPDATE oauth.connections SET disabled = true, generation = 2 WHERE id = ${shop.connectionId}`,
    ],
    [
      "connected again since, for tokens from before",
      (shop: TestShop) => server.owner`
      UPDATE oauth.connections SET generation = 2 WHERE id = ${shop.connectionId}`,
    ],
    [
      "approved and never exchanged",
      (shop: TestShop) => server.owner`
      UPDATE oauth.connections SET status = 'approved' WHERE id = ${shop.connectionId}`,
    ],
    [
      "of a disabled client",
      (shop: TestShop) => server.owner`
      UPDATE directory.clients SET status = 'disabled' WHERE client_id = ${shop.clientId}`,
    ],
    ["gone", (shop: TestShop) => server.owner`DELETE FROM oauth.connections WHERE id = ${shop.connectionId}`],
  ] as const)("%s", async (_, change) => {
    const shop = await server.newShop({ plan: "standard", scope: ["responses:read"] });
    expect((await server.get("/api/responses", `Bearer ${shop.token}`)).status).toBe(200);
    await change(shop);
    await expectForbidden(await everything(shop));
  });

  test("a token that names another shop's connection, or another client, opens nothing", async () => {
    const [mine, theirs] = [await server.newShop(), await server.newShop()];
    const crossed = [
      { sub: theirs.id },
      { connection_id: theirs.connectionId },
      { client_id: theirs.clientId },
      { sub: theirs.id, connection_id: theirs.connectionId },
    ];
    for (const claims of crossed) {
      const token = await server.issuer.sign(server.claims(mine, claims));
      await expectForbidden(await everything({ ...mine, token }));
    }
  });
});

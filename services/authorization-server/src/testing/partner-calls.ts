import { expect } from "vitest";
import type { RegisteredClient, Replicas } from "./replicas.ts";
import { basic, exchangeCode } from "./token-calls.ts";

/** Sends a GET with the client's credentials by HTTP Basic. */
export function askAs(replicas: Replicas, client: RegisteredClient, url: string) {
  return replicas.app().inject({ url, headers: { authorization: basic(client) } });
}

/** Connects a shop with the client, or only approves it. `id` is the connection's. */
export async function connectShop(
  replicas: Replicas,
  client: RegisteredClient,
  { exchanged = true, plan }: { exchanged?: boolean; plan?: "standard" } = {},
) {
  const shop = await replicas.registerShop(plan);
  const code = await replicas.approveAndIssueCode({
    ...shop,
    ...client,
    scope: ["responses:read", "sources:write"],
  });
  const answer = exchanged ? await exchangeCode(replicas.app(), client, code) : null;
  if (answer) expect(answer.status).toBe(200);
  const [row] = await replicas.sql<{ id: string }[]>`
    SELECT id FROM oauth.connections WHERE shop_id = ${shop.shopId} AND client_id = ${client.clientId}`;
  const refreshToken: string = answer?.body.refresh_token;
  return { ...shop, id: row?.id ?? expect.fail("no connection"), refreshToken };
}

let lastStamp = 0;

/** Changes a shop's data in a transaction, as a writer does, and relays the change to the feeds. */
export async function changeShop(
  { sql, relay }: Replicas,
  shopId: string,
  kind: string,
): Promise<void> {
  lastStamp = Math.max(lastStamp + 1, Date.now());
  await sql`INSERT INTO survey.stamps (shop_id, stamp) VALUES (${shopId}, '-infinity') ON CONFLICT DO NOTHING`;
  await sql`UPDATE survey.stamps SET stamp = ${new Date(lastStamp)}, changes = ${[kind]} WHERE shop_id = ${shopId}`;
  await relay();
}

/** Asserts that each query is refused with a 400 that names the parameter. */
export async function expectRefused(
  replicas: Replicas,
  path: string,
  wrong: readonly (readonly [string, string])[],
) {
  const client = await replicas.registerClient();
  for (const [param, query] of wrong) {
    const answer = await askAs(replicas, client, `${path}?${query}`);
    const error_description = expect.stringMatching(new RegExp(`^${param} `));
    const refusal = { error: "invalid_request", error_description, param };
    expect.soft([answer.statusCode, answer.json()], query).toEqual([400, refusal]);
    expect.soft(answer.headers["cache-control"], query).toBe("no-store");
  }
}

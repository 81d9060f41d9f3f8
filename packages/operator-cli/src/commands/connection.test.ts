import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approve, exchange } from "@partner-connect/connections";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { misused, type Operator, operator, refused } from "../testing.ts";

let database: TestDatabase;
let sql: Sql;
let cli: Operator;
let merchantId: string;
let clientId: string;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  sql = connectDatabase(database.url, { name: "cli-test" });
  cli = operator({ DATABASE_URL: database.url, PARTNER_CONNECT_OPERATOR: "otto" });
  merchantId = (
    await cli.json("merchant", "create", "--email", "a@shop.example", "--password", "correct horse", "--name", "A")
  ).id;
  clientId = (
    await cli.json(
      "client",
      "create",
      "--name",
      "Acme",
      "--redirect-uri",
      "https://a.example/",
      "--scope",
      "responses:read",
    )
  ).client_id;
});

afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

let shopId: string;
let id: string;

/** A merchant approves and the client redeems the code, as the authorization server has them stored. */
async function connect(): Promise<void> {
  const grantId = crypto.randomUUID();
  const approval = { shopId, clientId, merchantId, grantId, scope: ["responses:read"] as const };
  await approve(sql, approval, { name: `merchant:${merchantId}` });
  const refreshTokenHash = Buffer.from(grantId);
  await exchange(sql, { shopId, clientId, grantId, refreshTokenHash }, { name: `client:${clientId}` });
}

beforeEach(async () => {
  shopId = (await cli.json("shop", "create", "--name", "Hats", "--owner", "a@shop.example")).id;
  await connect();
  id = (await cli.json("connection", "list", "--shop", shopId))[0].id;
});

const statusOf = async () => (await cli.json("connection", "list", "--shop", shopId))[0].status;

describe("connection list", () => {
  test("shows what is connected", async () => {
    const connection = {
      id: expect.stringMatching(/^con_/),
      client_id: clientId,
      shop_id: shopId,
      status: "connected",
      scope: "responses:read",
      connected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      last_used_at: expect.stringMatching(/Z$/),
    };
    expect(await cli.json("connection", "list", "--shop", shopId)).toEqual([connection]);
    expect(await cli.json("connection", "list", "--shop", shopId, "--client", clientId)).toEqual([connection]);
    expect(await cli.json("connection", "list")).toContainEqual(connection);
    expect((await cli("connection", "list", "--shop", shopId)).stdout).toMatch(
      new RegExp(`${id} +Acme \\(${clientId}\\) +${shopId} +connected`),
    );
  });

  test("is empty for another shop or client", async () => {
    expect(await cli.json("connection", "list", "--shop", "shop_x")).toEqual([]);
    expect(await cli.json("connection", "list", "--client", "client_x")).toEqual([]);
    expect((await cli("connection", "list", "--shop", "shop_x")).stdout).toBe("There are no connections.\n");
  });

  test("calls approved what was revoked and approved anew, without the former connection's dates, until the exchange [transition.unfinished]", async () => {
    await cli("connection", "revoke", id);
    await sql`UPDATE oauth.connections SET connected_at = '2020-01-01Z', last_used_at = '2020-01-01Z' WHERE id = ${id}`;
    const grantId = crypto.randomUUID();
    const approval = { shopId, clientId, merchantId, grantId, scope: ["responses:read"] as const };
    await approve(sql, approval, { name: `merchant:${merchantId}` });
    const list = () => cli.json("connection", "list", "--shop", shopId);
    expect(await list()).toMatchObject([{ id, status: "approved", connected_at: null, last_used_at: null }]);
    expect((await cli("connection", "list", "--shop", shopId)).stdout).toMatch(/approved .* not finished yet +never/);
    const refreshTokenHash = Buffer.from(grantId);
    await exchange(sql, { shopId, clientId, grantId, refreshTokenHash }, { name: `client:${clientId}` });
    const today = new Date().toISOString().slice(0, 10);
    expect(await list()).toMatchObject([
      {
        status: "connected",
        connected_at: expect.stringContaining(today),
        last_used_at: expect.stringContaining(today),
      },
    ]);
  });

  test("calls expired what went unused for the refresh token's life", async () => {
    await sql`UPDATE oauth.connections SET last_used_at = now() - interval '1 hour' WHERE shop_id = ${shopId}`;
    expect(await statusOf()).toBe("connected");
    const short = cli.with({ REFRESH_TOKEN_TTL_SECONDS: "3599" });
    expect((await short.json("connection", "list", "--shop", shopId))[0].status).toBe("expired");
    const folder = await mkdtemp(join(tmpdir(), "cli-connection-"));
    const state = { database_url: database.url, refresh_token_ttl_seconds: 3599 };
    await writeFile(join(folder, "local-stack.json"), JSON.stringify(state));
    const local = operator({ DATA_DIR: folder });
    expect((await local.json("connection", "list", "--shop", shopId))[0].status).toBe("expired");
    await rm(folder, { recursive: true });
  });
});

describe("connection", () => {
  test("revoke ends it, disable holds it, enable ends the hold", async () => {
    expect(await cli.json("connection", "disable", id)).toMatchObject({ id, status: "disabled" });
    expect(await cli.json("connection", "enable", id)).toMatchObject({ id, status: "connected" });
    expect(await cli.json("connection", "revoke", id)).toMatchObject({ id, status: "revoked" });
    expect((await cli("connection", "disable", id)).stdout).toBe(`Connection ${id} is disabled.\n`);
    expect(await cli.json("connection", "enable", id)).toMatchObject({ id, status: "revoked" });
    await connect();
    expect(await statusOf()).toBe("connected");
  });

  test("a change is audited once, with the operator's name", async () => {
    await cli("connection", "revoke", id);
    await cli("connection", "revoke", id);
    await cli("connection", "disable", id);
    await cli.with({ PARTNER_CONNECT_OPERATOR: undefined, USER: "uma" })("connection", "enable", id);
    const log = await sql`
      SELECT event, actor FROM oauth.audit_log WHERE shop_id = ${shopId} AND connection_id = ${id} AND actor LIKE 'operator:%' ORDER BY id`;
    expect([...log]).toEqual([
      { event: "revoke", actor: "operator:otto" },
      { event: "disable", actor: "operator:otto" },
      { event: "enable", actor: "operator:uma" },
    ]);
  });

  test("a change leaves other connections alone", async () => {
    const before = [shopId, id] as const;
    shopId = (await cli.json("shop", "create", "--name", "Shoes", "--owner", "a@shop.example")).id;
    await connect();
    await cli("connection", "revoke", before[1]);
    expect(await statusOf()).toBe("connected");
  });

  test.each(["revoke", "disable", "enable"])("%s refuses a connection that does not exist", async (verb) => {
    expect(await cli("connection", verb, "con_x")).toEqual(
      refused(/no connection "con_x"; 'partner-connect connection list'/),
    );
    expect(await cli("connection", verb)).toEqual(misused(/missing required argument 'connection'/));
  });

  test("a first approval whose code was not redeemed is none", async () => {
    shopId = (await cli.json("shop", "create", "--name", "New", "--owner", "a@shop.example")).id;
    const approval = { shopId, clientId, merchantId, grantId: "g", scope: ["responses:read"] as const };
    const approved = await approve(sql, approval, { name: `merchant:${merchantId}` });
    expect(await cli.json("connection", "list", "--shop", shopId)).toEqual([]);
    expect(await cli("connection", "revoke", approved?.connectionId ?? "")).toEqual(refused(/no connection/));
  });
});

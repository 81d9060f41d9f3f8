import { approve, disable, exchange, revokeAll } from "@partner-connect/connections";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, type Refusal, refused } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
const SHOPS = 5;
let clientId: string;
let other: string;
let run = 0;
let shops: readonly string[];

beforeAll(async () => {
  await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;
});

const newClient = async (name: string): Promise<string> =>
  (
    await cli.json(
      "client",
      "create",
      "--name",
      name,
      "--redirect-uri",
      "https://a.example/",
      "--scope",
      "responses:read",
    )
  ).client_id;

async function connect(shopId: string, client: string, isExchanged = true): Promise<string> {
  const key = { shopId, clientId: client, grantId: crypto.randomUUID() };
  const approved = await approve(
    sql,
    { ...key, merchantId: "mer", scope: ["responses:read"] },
    { name: "merchant:mer" },
  );
  if (isExchanged)
    await exchange(sql, { ...key, refreshTokenHash: Buffer.from(key.grantId) }, { name: `client:${client}` });
  return approved?.connectionId ?? "";
}

beforeEach(async () => {
  run += 1;
  [clientId, other] = [await newClient(`Acme ${run}`), await newClient(`Other ${run}`)];
  const rows = await sql<{ id: string }[]>`
    INSERT INTO directory.shops (name, plan) SELECT 'Hats ' || n, 'standard' FROM generate_series(1, ${SHOPS}) n RETURNING id`;
  shops = rows.map(({ id }) => id);
  for (const shop of shops) {
    await connect(shop, clientId);
    await connect(shop, other);
  }
});

const statuses = async (client: string) =>
  (
    await sql<{ status: string }[]>`SELECT status FROM oauth.connections WHERE client_id = ${client} ORDER BY shop_id`
  ).map(({ status }) => status);
const revocations = async () =>
  (
    await sql`SELECT FROM oauth.audit_log WHERE client_id = ${clientId} AND event = 'revoke' AND actor = 'operator:otto'`
  ).length;

describe("connection revoke --client, --shop", () => {
  test("ends all of a client, held ones and unfinished approvals too, each with its record, and nothing of another", async () => {
    const [held = "", unfinished = ""] = shops;
    const [{ id = "" } = {}] = await cli.json("connection", "list", "--shop", held, "--client", clientId);
    await disable(sql, { shopId: held, id }, { name: "operator:otto" });
    await cli("connection", "revoke", "--client", clientId, "--shop", unfinished);
    await connect(unfinished, clientId, false);
    const before = await revocations();
    expect(await cli.json("connection", "revoke", "--client", clientId, "--dry-run")).toEqual({
      dry_run: true,
      effects: [expect.stringContaining(`5 connections of Acme ${run} (${clientId}) will end for good`)],
    });
    expect(await cli.json("connection", "revoke", "--client", clientId)).toEqual({
      client_id: clientId,
      shop_id: null,
      revoked: 5,
    });
    expect([await statuses(clientId), await revocations()]).toEqual([Array(5).fill("revoked"), before + 5]);
    expect(await statuses(other)).toEqual(Array(5).fill("connected"));
    const again = await cli("connection", "revoke", "--client", `Acme ${run}`);
    expect(again.stdout).toBe(`No connection of Acme ${run} (${clientId}) was left.\n`);
    expect(await revocations()).toBe(before + 5);
  });

  test("ends all of a shop, or that of a client with a shop", async () => {
    const [shop = "", second = ""] = shops;
    expect((await cli.json("connection", "revoke", "--shop", shop)).revoked).toBe(2);
    const both = await cli.json("connection", "revoke", "--shop", second, "--client", clientId);
    expect(both).toEqual({ client_id: clientId, shop_id: second, revoked: 1 });
    expect(await statuses(clientId)).toEqual(["revoked", "revoked", "connected", "connected", "connected"]);
    expect(await statuses(other)).toEqual(["revoked", "connected", "connected", "connected", "connected"]);
  });

  test("a run that fails halfway says how far it came, and begun again it ends the rest", async () => {
    const [, , third = ""] = shops;
    await sql.unsafe(`
      CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'away' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER fails BEFORE UPDATE ON oauth.connections FOR EACH ROW
      WHEN (OLD.shop_id = '${third}' AND OLD.client_id = '${clientId}') EXECUTE FUNCTION fails()`);
    const told: number[] = [];
    const options = { batch: 2, onProgress: (revoked: number) => void told.push(revoked) };
    const actor = { name: "operator:otto" };
    await expect(revokeAll(sql, { clientId }, actor, options)).rejects.toMatchObject({ code: "57P01" });
    expect([told, await revocations()]).toEqual([[2], 2]);
    await sql`DROP FUNCTION fails CASCADE`;
    expect((await cli.json("connection", "revoke", "--client", clientId)).revoked).toBe(3);
    expect(await revocations()).toBe(5);
  });

  test.each<[string[], RegExp | Refusal]>([
    [["--client", "client_x"], /no client "client_x"; 'partner-connect client list' lists them/],
    [["--shop", "shop_x"], /no shop "shop_x"/],
    [["--shop", "Hats 1"], /several shops have the name "Hats 1": shop_.*, shop_.*; give the id/],
    [["con_1", "--client", "client_x"], misused(/give a connection's id, or --client, --shop or both/)],
  ])("%j is refused", async (words, line) => {
    await sql`INSERT INTO directory.shops (name, plan) VALUES ('Hats 1', 'standard')`;
    expect(await cli("connection", "revoke", ...words)).toEqual(refused(line));
  });
});

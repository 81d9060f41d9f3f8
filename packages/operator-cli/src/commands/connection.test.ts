import { disable, revokeAll } from "@partner-connect/connections";
import { connect } from "@partner-connect/connections/testing";
import { beforeEach, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });

let run = 0;
let clientId: string;
let other: string;
let shops: readonly string[];
let shopId: string;
let id: string;

await sql`INSERT INTO directory.merchants (id, email, name, password_hash) VALUES ('mer', 'a@b.example', 'A', '-')`;

const connected = (shopId: string, clientId: string, exchanged = true) =>
  connect(sql, { shopId, clientId, merchantId: "mer", exchanged });

beforeEach(async () => {
  run += 1;
  [clientId, other] = [`client_${run}`, `other_${run}`];
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types)
    SELECT id, 'Acme ' || id, '{https://a.example/}', '{responses:read,sources:write}', '{authorization_code,refresh_token}'
    FROM unnest(${[clientId, other]}::text[]) AS id`;
  const rows = await sql<{ id: string }[]>`
    INSERT INTO directory.shops (id, name, plan) SELECT 'shop_' || ${run}::int || '_' || n, 'Hats', 'standard'
    FROM generate_series(1, 3) n RETURNING id`;
  shops = rows.map(({ id }) => id);
  for (const shop of shops) for (const client of [clientId, other]) await connected(shop, client);
  [shopId = ""] = shops;
  id = (await cli.json("connection list --shop", shopId, "--client", clientId))[0].id;
});

const list = () => cli.json("connection list --shop", shopId, "--client", clientId);
const statusOf = async () => (await list())[0].status;

test("connection show prints the scope, usage and history of the connection", async () => {
  await sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      SELECT ${shopId}, ${id}, date_trunc('hour', now()) - make_interval(hours => ago), 2, 200, 1, 0
      FROM (VALUES (0), (72)) AS made (ago)`;
  const time = expect.stringMatching(/Z$/);
  const [detail, unknown] = [expect.any(Object), { request_id: null, ip: null }];
  expect(await cli.json("connection show", id)).toEqual({
    ...(await list())[0],
    client_name: `Acme ${clientId}`,
    shop_name: "Hats",
    plan: "standard",
    effective_scope: "responses:read",
    redirect_uri: null,
    approved_by: { id: "mer", name: "A" },
    approved_at: time,
    expires_at: time,
    usage: {
      last_24_hours: { calls: 2, records: 200, refused: 1, failed: 0 },
      last_30_days: { calls: 4, records: 400, refused: 2, failed: 0 },
    },
    events: [
      expect.objectContaining({ action: "exchange", actor: `client:${clientId}`, detail }),
      expect.objectContaining({ action: "approve", actor: "merchant:mer", ...unknown }),
    ],
  });
  const { stdout } = await cli("connection show", id);
  expect(stdout).toMatch(/last 24 hours +2 calls, 200 records, 1 refused, 0 failed/);
  expect(stdout).toMatch(/AT +ACTION +BY[\s\S]*exchange +Acme client_\d+ \(client:[\s\S]*approve/);
});

test("connection show prints the effective scope, and that a disabled client's tokens are refused", async () => {
  await sql`UPDATE oauth.connections SET scope = '{responses:read,sources:write}' WHERE id = ${id}`;
  await cli("client disable", clientId);
  expect(await cli.json("connection show", id)).toMatchObject({
    scope: "responses:read sources:write",
    effective_scope: "responses:read",
    client_status: "disabled",
  });
  const { stdout } = await cli("connection show", id);
  expect(stdout).toMatch(/which is disabled: its tokens are refused/);
  expect(stdout).toMatch(
    /effective scope +responses:read: the client or the shop's plan lacks the rest/,
  );
});

test("connection list shows each connection with its status, scope and times", async () => {
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const connection = {
    id: expect.stringMatching(/^con_/),
    client_id: clientId,
    client_status: "active",
    shop_id: shopId,
    status: "connected",
    scope: "responses:read",
    connected_at: time,
    last_used_at: time,
  };
  expect(await list()).toEqual([connection]);
  expect(await cli.json("connection list")).toContainEqual(connection);
  const { stdout } = await cli("connection list --client", clientId, "--shop", shopId);
  expect(stdout).toMatch(new RegExp(`${id} +Acme ${clientId} +Hats +connected +20`));
});

test("connection list shows 'disabled (client)' beside a disabled client's connections, unless they are revoked", async () => {
  await cli("client disable", clientId);
  expect(await list()).toMatchObject([{ status: "connected", client_status: "disabled" }]);
  await cli("connection revoke", id);
  const { stdout } = await cli("connection list --client", clientId);
  expect(stdout).toMatch(new RegExp(`${id} .* revoked `));
  expect(stdout.match(/disabled \(client\)/g)).toHaveLength(2);
});

test("after a revocation, connection list shows a new approval as approved, without dates, until its code is exchanged", async () => {
  await cli("connection revoke", id);
  await sql`UPDATE oauth.connections SET connected_at = '2020-01-01Z', last_used_at = '2020-01-01Z' WHERE id = ${id}`;
  await connected(shopId, clientId, false);
  const dates = { connected_at: null, last_used_at: null };
  expect(await list()).toMatchObject([{ id, status: "approved", ...dates }]);
  await connected(shopId, clientId);
  const today = expect.stringContaining(new Date().toISOString().slice(0, 10));
  expect(await list()).toMatchObject([
    { status: "connected", connected_at: today, last_used_at: today },
  ]);
});

test("if a connection is unused for the refresh token's lifetime, connection list shows it as expired", async () => {
  await sql`UPDATE oauth.connections SET last_used_at = now() - interval '1 hour' WHERE id = ${id}`;
  expect(await statusOf()).toBe("connected");
  const short = cli.with({ REFRESH_TOKEN_TTL_SECONDS: "3590" });
  const expired = await short.json("connection list --status expired --shop", shopId);
  expect(expired).toMatchObject([{ id }]);
});

test("connection enable ends a hold, and leaves a revoked connection revoked", async () => {
  expect(await cli.json("connection disable", id)).toMatchObject({ id, status: "disabled" });
  expect(await cli.declined("connection revoke", id)).toContain("Nobody can connect it again");
  expect(await cli.json("connection enable", id)).toMatchObject({ id, status: "connected" });
  const revoked = await cli.json("connection revoke", id, "--reason", "Sold.");
  expect(revoked).toMatchObject({ id, status: "revoked" });
  const [record] =
    await sql`SELECT details FROM oauth.audit_log WHERE event = 'revoke' ORDER BY id DESC LIMIT 1`;
  expect(record?.["details"]).toMatchObject({ reason: "Sold." });
  const ended = `Connection ${id} is disabled (revoked). Nobody can connect it again until 'connection enable'.\n`;
  expect((await cli("connection disable", id)).stdout).toBe(ended);
  expect((await cli("connection show", id)).stdout).toMatch(/^ +status +disabled \(revoked\)$/m);
  expect(await cli.json("connection enable", id)).toMatchObject({ id, status: "revoked" });
});

test("connection revoke without a reason sends the shop's members a mail without a reason", async () => {
  await sql`INSERT INTO directory.memberships (merchant_id, shop_id) VALUES ('mer', ${shopId})`;
  await cli("connection revoke", id);
  const mails = await sql`
    SELECT data -> 'about' AS about FROM worker_jobs.job WHERE data -> 'about' ->> 'connection_id' = ${id}`;
  expect(mails).toMatchObject([{ about: { by: "operator" } }]);
  expect(mails).not.toHaveProperty("0.about.reason");
});

test.each(["revoke", "disable"])(
  "connection %s asks for confirmation of its effects, and is recorded once",
  async (verb) => {
    expect(await cli.declined("connection", verb, id)).toMatch(
      new RegExp(
        `Connection ${id} of Acme ${clientId} with Hats \\(connected, last refreshed .*\\) .* tokens are refused`,
      ),
    );
    expect(await statusOf()).toBe("connected");
    const yes = cli
      .atTerminal()
      .typing("y\n")
      .with({ PARTNER_CONNECT_OPERATOR: undefined, USER: "uma" });
    expect((await yes("connection", verb, id)).code).toBe(0);
    expect(await statusOf()).toBe(verb === "revoke" ? "revoked" : "disabled");
    expect(await cli.atTerminal()("connection", verb, id)).toMatchObject({ code: 0, stderr: "" });
    const log =
      await sql`SELECT event, actor FROM oauth.audit_log WHERE connection_id = ${id} AND actor LIKE 'operator:%'`;
    expect(log).toEqual([{ event: verb, actor: "operator:uma" }]);
  },
);

const statuses = async (client: string) => {
  const rows =
    await sql`SELECT status FROM oauth.connections WHERE client_id = ${client} ORDER BY shop_id`;
  return rows.map(({ status }) => status);
};
const revocations = async () =>
  (await sql`SELECT FROM oauth.audit_log WHERE client_id = ${clientId} AND event = 'revoke'`)
    .length;

test("connection revoke --client ends every connection of the client, even if disabled or only approved, with an audit record", async () => {
  const [, unfinished = ""] = shops;
  await disable(sql, { shopId, id }, { name: "operator:otto" });
  await cli("connection revoke --client", clientId, "--shop", unfinished);
  await connected(unfinished, clientId, false);
  const before = await revocations();
  const effect = `3 connections of ${clientId} will end for good`;
  expect(await cli.declined("connection revoke --client", clientId)).toContain(effect);
  const all = { client_id: clientId, shop_id: null };
  expect(await cli.json("connection revoke --client", clientId)).toEqual({
    ...all,
    revoked: 3,
  });
  expect([await statuses(clientId), await revocations()]).toEqual([
    Array(3).fill("revoked"),
    before + 3,
  ]);
  expect(await statuses(other)).toEqual(Array(3).fill("connected"));
  const again = await cli("connection revoke --client", clientId);
  expect([again.stdout, await revocations()]).toEqual([
    `No connection of ${clientId} was left.\n`,
    before + 3,
  ]);
});

test("connection revoke --shop ends all connections of the shop or, with --client, only that client's connection", async () => {
  const [, second = ""] = shops;
  expect((await cli.json("connection revoke --shop", shopId)).revoked).toBe(2);
  const both = await cli.json("connection revoke --shop", second, "--client", clientId);
  expect(both).toEqual({ client_id: clientId, shop_id: second, revoked: 1 });
  expect([await statuses(clientId), await statuses(other)]).toEqual([
    ["revoked", "revoked", "connected"],
    ["revoked", "connected", "connected"],
  ]);
});

test("a bulk revocation that fails halfway reports how many connections it ended, and the next run ends the remaining connections", async () => {
  await sql.unsafe(`
      CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'away' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER fails BEFORE UPDATE ON oauth.connections FOR EACH ROW
      WHEN (OLD.shop_id = '${shops[2]}' AND OLD.client_id = '${clientId}') EXECUTE FUNCTION fails()`);
  const told: number[] = [];
  const options = { batch: 1, onProgress: (revoked: number) => void told.push(revoked) };
  const revoking = revokeAll(sql, { clientId }, { name: "operator:otto" }, options);
  await expect(revoking).rejects.toMatchObject({ code: "57P01" });
  expect([told, await revocations()]).toEqual([[1, 2], 2]);
  await sql`DROP FUNCTION fails CASCADE`;
  expect((await cli.json("connection revoke --client", clientId)).revoked).toBe(1);
  expect(await revocations()).toBe(3);
});

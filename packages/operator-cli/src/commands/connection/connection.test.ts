import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approve, exchange } from "@partner-connect/connections";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, operator, type Refusal, refused } from "../../testing.ts";

const { database, sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
let merchantId: string;
let clientId: string;

beforeAll(async () => {
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

describe("connection show", () => {
  test("shows what it may, what it does and what happened to it", async () => {
    await sql`
      INSERT INTO oauth.api_usage (shop_id, caller_id, hour, calls, records, refused, failed)
      SELECT ${shopId}, ${id}, date_trunc('hour', now()) - make_interval(hours => ago), 2, 200, 1, 0
      FROM (VALUES (0), (72)) AS made (ago)`;
    const shown = await cli.json("connection", "show", id);
    expect(shown).toEqual({
      ...(await cli.json("connection", "list", "--shop", shopId))[0],
      client_name: "Acme",
      client_status: "active",
      shop_name: "Hats",
      plan: "standard",
      effective_scope: "responses:read",
      redirect_uri: null,
      approved_by: { id: merchantId, name: "A" },
      approved_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      usage: {
        last_24_hours: { calls: 2, records: 200, refused: 1, failed: 0 },
        last_30_days: { calls: 4, records: 400, refused: 2, failed: 0 },
      },
      events: [
        expect.objectContaining({ action: "exchange", actor: `client:${clientId}`, detail: expect.any(Object) }),
        expect.objectContaining({ action: "approve", actor: `merchant:${merchantId}`, request_id: null, ip: null }),
      ],
    });
    const { stdout } = await cli("connection", "show", id);
    expect(stdout).toMatch(new RegExp(`client +Acme \\(${clientId}\\)\\n +shop +Hats \\(${shopId}\\), plan standard`));
    expect(stdout).toMatch(/last 24 hours +2 calls, 200 records, 1 refused, 0 failed/);
    expect(stdout).toMatch(/AT +ACTION +BY[\s\S]*exchange +Acme \(client:[\s\S]*approve/);
  });

  test("tells what the client or the plan lacks, and that a disabled client is refused", async () => {
    await sql`UPDATE oauth.connections SET scope = '{responses:read,sources:write}' WHERE id = ${id}`;
    await cli("client", "disable", clientId);
    const shown = await cli.json("connection", "show", id);
    const told = await cli("connection", "show", id);
    await cli("client", "enable", clientId);
    expect(shown).toMatchObject({
      scope: "responses:read sources:write",
      effective_scope: "responses:read",
      client_status: "disabled",
    });
    expect(told.stdout).toMatch(/which is disabled: its tokens are refused/);
    expect(told.stdout).toMatch(/effective scope +responses:read: the client or the shop's plan lacks the rest/);
  });

  test("refuses what is not there", async () => {
    expect(await cli("connection", "show", "con_x")).toEqual(
      refused(/no connection "con_x"; 'partner-connect connection list' lists them/),
    );
  });
});

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
      new RegExp(`${id} +Acme +Hats +connected .* ${shopId} +${clientId}`),
    );
  });

  test("fits the terminal, with the names and how long ago it was used", async () => {
    const { stdout } = await cli.atTerminal(90).with({ NO_COLOR: "1" })("connection", "list", "--shop", shopId);
    expect(stdout).toMatch(/^ID +CLIENT +SHOP +STATUS +LAST USED.*\n\S+ +Acme +Hats +connected +(just now|\d+ s ago)/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(90);
    const wide = await cli.atTerminal(90)("connection", "list", "--shop", shopId, "--wide");
    expect(wide.stdout).toContain(clientId);
  });

  test.each<[string[], RegExp | Refusal]>([
    [["--shop", "shop_x"], /no shop "shop_x"; 'partner-connect shop list' lists them/],
    [["--client", "client_x"], /no client "client_x"/],
    [["--status", "active"], misused(/'active' is invalid\. Allowed choices are connected, approved, expired/)],
  ])("%j is refused", async (words, line) => {
    expect(await cli("connection", "list", ...words)).toEqual(refused(line));
  });

  test("calls approved what was revoked and approved anew, without the former connection's dates, until the exchange", async () => {
    await cli("connection", "revoke", id);
    await sql`UPDATE oauth.connections SET connected_at = '2020-01-01Z', last_used_at = '2020-01-01Z' WHERE id = ${id}`;
    const grantId = crypto.randomUUID();
    const approval = { shopId, clientId, merchantId, grantId, scope: ["responses:read"] as const };
    await approve(sql, approval, { name: `merchant:${merchantId}` });
    const list = () => cli.json("connection", "list", "--shop", shopId);
    expect(await list()).toMatchObject([{ id, status: "approved", connected_at: null, last_used_at: null }]);
    expect((await cli("connection", "list", "--shop", shopId)).stdout).toMatch(/approved .* never +not finished yet/);
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

  test.each(["revoke", "disable"])("%s says what it ends, and asks on a terminal", async (verb) => {
    const terminal = cli.atTerminal();
    const asked = await terminal.typing("n\n")("connection", verb, id);
    expect(asked).toMatchObject({ code: 1, stdout: "" });
    expect(asked.stderr).toMatch(
      new RegExp(`Connection ${id} of Acme with Hats \\(connected, last used .*\\) .* tokens are refused`),
    );
    expect(asked.stderr).toMatch(/Go on\? \[y\/N\] [\s\S]*cancelled; nothing was changed\n$/);
    expect(await statusOf()).toBe("connected");
    const dry = await cli.json("connection", verb, id, "--dry-run");
    expect(dry).toEqual({ dry_run: true, effects: [expect.stringContaining(id)] });
    expect(await statusOf()).toBe("connected");
    expect((await terminal.typing("y\n")("connection", verb, id)).code).toBe(0);
    expect(await statusOf()).toBe(verb === "revoke" ? "revoked" : "disabled");
    expect((await cli("connection", verb, id, "--dry-run")).stdout).toBe("Nothing would change.\n");
    expect(await terminal("connection", verb, id)).toMatchObject({ code: 0, stderr: "" });
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

  test.each(["revoke", "enable"])("%s refuses a connection that does not exist", async (verb) => {
    expect(await cli("connection", verb, "con_x")).toEqual(
      refused(/no connection "con_x"; 'partner-connect connection list'/),
    );
    const missing =
      verb === "revoke" ? /give a connection's id, or --client/ : /missing required argument 'connection'/;
    expect(await cli("connection", verb)).toEqual(misused(missing));
  });
});

import { recordAudit } from "@partner-connect/audit";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { operatorOnOwnDatabase } from "../testing/own-database.ts";
import { misused, type Refusal, refused } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase();

beforeAll(async () => {
  await sql`
    INSERT INTO directory.merchants (id, email, name, password_hash, status, created_at)
    SELECT 'mer_' || n, n || '@shop.example', 'Anna ' || n, '-', CASE n WHEN 3 THEN 'disabled' ELSE 'active' END,
      now() + make_interval(secs => n / 2)
    FROM generate_series(1, 5) n`;
  await sql`
    INSERT INTO directory.shops (id, name, domain, plan, created_at)
    SELECT 'shop_' || n, 'Hats ' || n, 'h' || n || '.example', CASE n WHEN 2 THEN 'advanced_attribution' ELSE 'standard' END,
      now() + make_interval(secs => n / 2)
    FROM generate_series(1, 5) n`;
  await sql`
    INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types, publisher, status, created_at)
    SELECT 'client_' || n, 'App ' || n, '{https://c.example/}', '{responses:read}', '{authorization_code,refresh_token}',
      'Acme GmbH ' || n, CASE n WHEN 3 THEN 'disabled' ELSE 'active' END, now() + make_interval(secs => n / 2)
    FROM generate_series(1, 5) n`;
  await sql`
    INSERT INTO oauth.connections (shop_id, client_id, id, grant_id, scope, merchant_id, status, connected_at, exchanged_at, last_used_at)
    SELECT 'shop_' || n, 'client_1', 'con_' || n, 'g', '{responses:read}', 'mer_1', 'connected',
      now() - make_interval(hours => n / 2), now(), now()
    FROM generate_series(1, 5) n`;
});

/** The last part of each id. */
const numbers = (found: readonly Record<string, string>[]) =>
  found.map((each) => (each["id"] ?? each["client_id"] ?? "").replace(/^\D+/, "")).join("");

describe("lists page by page", () => {
  test.each(["client", "merchant", "shop", "connection"])(
    "%s list: each once, oldest first, from the last one that was shown",
    async (noun) => {
      const first = await cli(noun, "list", "--limit", "2", "--json");
      expect(numbers(JSON.parse(first.stdout))).toBe("12");
      const more = /note: there are more; --after (\S+) continues\n/.exec(first.stderr)?.[1] ?? "";
      const second = await cli(noun, "list", "--limit", "3", "--after", more, "--json");
      expect([numbers(JSON.parse(second.stdout)), second.stderr]).toEqual(["345", ""]);
      expect(numbers(await cli.json(noun, "list"))).toBe("12345");
    },
  );

  test.each([
    [["client", "--search", "GMBH 2"], "2"],
    [["client", "--status", "disabled"], "3"],
    [["merchant", "--search", "5@SHOP"], "5"],
    [["merchant", "--search", "anna", "--status", "disabled"], "3"],
    [["merchant", "--status", "disabled"], "3"],
    [["shop", "--search", "h3.ex"], "3"],
    [["shop", "--search", "hats", "--plan", "advanced_attribution"], "2"],
    [["shop", "--search", "%"], ""],
    [["connection", "--search", "hats 4"], "4"],
    [["connection", "--search", "app 1", "--limit", "1"], "1"],
  ])("%j", async ([noun = "", ...words], found) => {
    expect(numbers(await cli.json(noun, "list", ...words))).toBe(found);
  });

  test.each<[string[], RegExp | Refusal]>([
    [["shop", "--plan", "gold"], /"gold" is not a plan/],
    [["merchant", "--limit", "0"], misused(/--limit "0" is not a whole number from 1/)],
  ])("%j is refused", async ([noun = "", ...words], line) => {
    expect(await cli(noun, "list", ...words)).toEqual(refused(line));
  });
});

test("audit list takes records between two times, of one action, of one request", async () => {
  const [a, b] = ["req_a", "req_b"].map((requestId) => ({ name: "operator:ada", requestId }));
  await recordAudit(sql, { action: "shop_rename", shopId: "shop_1" }, a ?? { name: "" });
  await recordAudit(sql, { action: "client_update", clientId: "client_1" }, b ?? { name: "" });
  const actions = async (...words: string[]) =>
    (await cli.json("audit", "list", ...words)).map(({ action }: { action: string }) => action);
  expect(await actions("--request", "req_a")).toEqual(["shop_rename"]);
  expect(await actions("--action", "client_update")).toEqual(["client_update"]);
  expect(await actions("--actor", "operator:ada", "--until", "1h")).toEqual([]);
  expect(await actions("--since", "1h", "--until", "0s")).toEqual(["client_update", "shop_rename"]);
  expect(await actions("--search", "RENAME")).toEqual(["shop_rename"]);
  const newest = await cli("audit", "list", "--limit", "1", "--json");
  const more = /note: there are more; --after (\S+) continues/.exec(newest.stderr)?.[1] ?? "";
  expect(await actions("--after", more)).toEqual(["shop_rename"]);
  expect(await cli("audit", "list", "--action", "rename")).toEqual(misused(/"rename" is none of approve, exchange,/));
  expect(await cli("audit", "list", "--since", "1h", "--until", "2h")).toEqual(misused(/--until is not after --since/));
  expect(await cli("audit", "list", "--until", "soon")).toEqual(misused(/--until "soon" is not a time/));
});

describe("client activity", () => {
  test("by the hour, with why, and all together; a name will do; nothing is said to be nothing", async () => {
    // The hour may end meanwhile.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    await sql`
      INSERT INTO oauth.client_activity (client_id, hour, what, reason, count) VALUES
        ('client_1', date_trunc('hour', now()), 'calls', '', 10), ('client_1', date_trunc('hour', now()), 'records', '', 900),
        ('client_1', date_trunc('hour', now()), 'refused', 'connection_revoked', 2), ('client_1', date_trunc('hour', now()), 'limited', 'api', 1),
        ('client_1', date_trunc('hour', now()) - interval '1 hour', 'calls', '', 5), ('client_1', date_trunc('hour', now()) - interval '1 hour', 'refreshes', '', 3),
        ('client_1', date_trunc('hour', now()) - interval '1 hour', 'token_refused', 'wrong_secret', 7), ('client_1', now() - interval '9 days', 'calls', '', 99)`;
    const shown = await cli.json("client", "activity", "client_1", "--since", "1h");
    const none = {
      calls: 0,
      records: 0,
      refused: {},
      limited: {},
      failed: {},
      refreshes: 0,
      exchanges: 0,
      token_refused: {},
      token_failed: {},
      authorize_refused: {},
    };
    expect(shown).toEqual({
      client_id: "client_1",
      since: expect.stringMatching(/:00:00\.000Z$/),
      hours: [
        { ...none, hour: expect.any(String), calls: 5, refreshes: 3, token_refused: { wrong_secret: 7 } },
        {
          ...none,
          hour: expect.any(String),
          calls: 10,
          records: 900,
          refused: { connection_revoked: 2 },
          limited: { api: 1 },
        },
      ],
      total: {
        ...none,
        calls: 15,
        records: 900,
        refreshes: 3,
        refused: { connection_revoked: 2 },
        limited: { api: 1 },
        token_refused: { wrong_secret: 7 },
      },
    });
    const { stdout } = await cli("client", "activity", "App 1", "--since", "1h");
    expect(stdout).toMatch(
      /^HOUR \(UTC\) +CALLS +RECORDS +4XX +429[\s\S]*\nall +15 +900 +2 +1 +0 +3 +0 +7 +connection_revoked 2, api 1, wrong_secret 7\n$/,
    );
    expect((await cli("client", "activity", "App 2")).stdout).toMatch(
      /^App 2 \(client_2\) did nothing since 20\S+Z\.\n$/,
    );
  });

  test.each<[string[], RegExp | Refusal]>([
    [["client_x"], /no client "client_x"/],
    [["client_1", "--since", "soon"], misused(/--since "soon" is not a time/)],
  ])("%j is refused", async (words, line) => {
    expect(await cli("client", "activity", ...words)).toEqual(refused(line));
  });
});

import { type Actor, recordAudit } from "@partner-connect/audit";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { operatorOnOwnDatabase, refused } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase();

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

/** The number at the end of each id. */
const numbers = (found: readonly Record<string, string>[]) =>
  found.map((each) => (each["id"] ?? each["client_id"] ?? "").replace(/^\D+/, "")).join("");

test.each(["client", "merchant", "shop", "connection"])(
  "the pages of %s list show each row once, oldest first",
  async (noun) => {
    const first = await cli(noun, "list", "--limit", "2", "--json");
    expect(numbers(JSON.parse(first.stdout))).toBe("12");
    const more = /note: there are more; continue with --after (\S+)/.exec(first.stderr)?.[1] ?? "";
    const second = await cli(noun, "list", "--limit", "3", "--after", more, "--json");
    expect([numbers(JSON.parse(second.stdout)), second.stderr]).toEqual(["345", ""]);
  },
);

test.each([
  [["client", "--search", "GMBH 2"], "2"],
  [["client", "--status", "disabled"], "3"],
  [["merchant", "--search", "5@SHOP"], "5"],
  [["merchant", "--search", "anna", "--status", "disabled"], "3"],
  [["shop", "--search", "h3.ex"], "3"],
  [["shop", "--search", "hats", "--plan", "advanced_attribution"], "2"],
  [["shop", "--search", "%"], ""],
  [["connection", "--search", "hats 4"], "4"],
  [["connection", "--search", "app 1", "--limit", "1"], "1"],
])("a list with %j has exactly the matching rows", async ([noun = "", ...words], found) => {
  expect(numbers(await cli.json(noun, "list", ...words))).toBe(found);
});

describe("audit list", () => {
  const merchant: Actor = { name: "merchant:mer_1", ip: "192.0.2.1", requestId: "req_1" };

  beforeAll(async () => {
    const detail = { from: "a", to: "b" };
    const plan = { action: "shop_set_plan", shopId: "shop_1", detail } as const;
    await recordAudit(sql, plan, { name: "operator:uma" });
    const created = { action: "merchant_create", merchantId: "mer_1" } as const;
    await recordAudit(sql, created, { name: "operator:ada" });
    const connection = { shopId: "shop_1", clientId: "client_1", connectionId: "con_1" };
    const approval = { action: "approve", ...connection, detail: { grant_id: "g" } } as const;
    await recordAudit(sql, approval, merchant);
  });

  test("audit list shows the actor, action, IP address and request id of each audit record, newest first", async () => {
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect((await cli.json("audit list"))[0]).toEqual({
      at,
      actor: "merchant:mer_1",
      action: "approve",
      client_id: "client_1",
      shop_id: "shop_1",
      connection_id: "con_1",
      request_id: "req_1",
      ip: "192.0.2.1",
      detail: { grant_id: "g" },
    });
    const { stdout } = await cli("audit list --shop shop_1");
    expect(stdout).toMatch(
      /approve +1@shop.example \(merchant:mer_1\) +App 1 \(client_1\) +Hats 1 \(shop_1\) +grant_id: g/,
    );
    expect(stdout).toContain("from: a, to: b");
  });

  test.each<[words: string[], actions: string]>([
    [["--request", "req_1"], "approve"],
    [["--action", "shop_set_plan"], "shop_set_plan"],
    [["--client", "App 1"], "approve"],
    [["--actor", "operator:ada", "--until", "1h"], ""],
    [["--since", "1h", "--until", "0s", "--shop", "shop_1"], "approve shop_set_plan"],
    [["--search", "SET_PLAN"], "shop_set_plan"],
  ])("audit list with %j prints only the matching records", async (words, actions) => {
    const found = await cli.json("audit list", ...words);
    expect(found.map(({ action }: { action: string }) => action).join(" ")).toBe(actions);
  });
});

test("job list shows failed jobs with the reason, and job retry queues a failed job again", async () => {
  const data = {
    kind: "password_changed",
    merchant_id: "mer_1",
    shop_id: null,
    about: {},
    link: null,
  };
  await sql`
    INSERT INTO worker_jobs.job (name, data, source_name, source_retry_count, source_output)
    VALUES ('failed', ${sql.json(data)}, 'mail', 2, '{"reason": "RCPT TO: 550 unknown"}')`;
  const [job] = await cli.json("job list");
  expect(job).toMatchObject({
    queue: "worker_jobs",
    kind: "mail",
    data,
    attempts: 3,
    reason: "RCPT TO: 550 unknown",
  });
  expect(await cli.json("job retry", job.id)).toEqual({ retried: 1 });
  expect(
    await sql`SELECT name, data FROM worker_jobs.job WHERE name IN ('mail', 'failed')`,
  ).toEqual([{ name: "mail", data }]);
  expect(await cli.json("job list")).toEqual([]);
  const unknown = /no failed job has the id "none"; 'partner-connect job list' lists them/;
  expect(await cli("job retry none")).toEqual(refused(unknown));
});

test("client activity shows counts per hour and reason, and totals, or that the client made no calls", async () => {
  // Otherwise an hour could end between the calls.
  vi.useFakeTimers({ toFake: ["Date"] });
  await sql`
    INSERT INTO oauth.client_activity (client_id, hour, what, reason, count)
    SELECT 'client_1', date_trunc('hour', now()) - make_interval(hours => ago), what, reason, count
    FROM (VALUES (0, 'calls', '', 10), (0, 'records', '', 900), (0, 'refused', 'connection_revoked', 2), (0, 'limited', 'api', 1),
      (1, 'calls', '', 5), (1, 'refreshes', '', 3), (1, 'token_refused', 'wrong_secret', 7), (220, 'calls', '', 99)) AS v (ago, what, reason, count)`;
  const empty = {
    refused: {},
    limited: {},
    failed: {},
    token_refused: {},
    token_failed: {},
    authorize_refused: {},
  };
  const none = { calls: 0, records: 0, refreshes: 0, exchanges: 0, ...empty };
  const former = { calls: 5, refreshes: 3, token_refused: { wrong_secret: 7 } };
  const now = { records: 900, refused: { connection_revoked: 2 }, limited: { api: 1 } };
  expect(await cli.json("client activity client_1 --since 1h")).toEqual({
    client_id: "client_1",
    since: expect.stringMatching(/:00:00\.000Z$/),
    hours: [
      { ...none, hour: expect.any(String), ...former },
      { ...none, hour: expect.any(String), calls: 10, ...now },
    ],
    total: { ...none, ...former, ...now, calls: 15 },
  });
  const { stdout } = await cli("client activity", "App 1", "--since", "1h");
  expect(stdout).toMatch(
    /^HOUR \(UTC\) +CALLS +RECORDS +4XX +429[\s\S]*\nall +15 +900 +2 +1 +0 +3 +0 +7 +connection_revoked 2, api 1, wrong_secret 7\n$/,
  );
  const nothing = /^App 2 \(client_2\) has had no activity since 20\S+Z\.\n$/;
  expect((await cli("client activity", "App 2")).stdout).toMatch(nothing);
});

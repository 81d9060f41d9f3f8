import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connectDatabase, derivedRolePassword, ROLE_SETTINGS, roleUrl, SERVICE_ROLES } from "@partner-connect/database";
import { freePort } from "@partner-connect/local-stack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboard } from "../../harness/actors/onboarding.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../../harness/actors/survey.ts";
import { type PgBouncer, pgBouncerOfTest, pgBouncerVersion, startPgBouncer } from "../../harness/engines/pgbouncer.ts";
import { keepAsking } from "../../harness/stack/processes.ts";
import { type OwnStack, runStores, startOwnStack } from "../../harness/stack/stacks.ts";
import { countCalls, reportRow } from "../row.ts";

describe(`through PgBouncer (${pgBouncerVersion()})`, () => {
  let stores: Awaited<ReturnType<typeof runStores>>;
  let urls: string[];
  let pooler: PgBouncer;
  let stack: OwnStack;
  let app: Partner;
  let tokens: Tokens;
  let records: SurveyRecord[];

  beforeAll(async () => {
    stores = await runStores();
    const { DATABASE_URL, REDIS_URL } = stores.env;
    const secret = new URL(DATABASE_URL).password;
    urls = [
      DATABASE_URL,
      ...SERVICE_ROLES.map((role) => roleUrl(DATABASE_URL, role, derivedRolePassword(secret, role))),
    ];
    pooler = await startPgBouncer("session", urls);
    // The services and the migrations go through it, and so do the operator's commands below.
    stack = await startOwnStack({
      env: { DATABASE_URL: pooler.through(DATABASE_URL), REDIS_URL, WORKER_REPLICAS: "1" },
    });
    const { client, merchant, advancedShop } = await onboard(stack.now);
    app = partner(stack.now, client);
    records = generateResponses(300, "pooler");
    await importRecords(stack.now, "response", advancedShop, records);
    tokens = await app.connect(merchantBrowser(merchant), advancedShop, { scope: "responses:read sources:write" });
  });
  afterAll(async () => {
    await stack?.stop();
    await pooler?.stop();
    await stores?.drop();
  });

  test("a partner does the whole job: lists all, refreshes, writes", async () => {
    const loads = [
      keepAsking(() => app.call("/api/responses?limit=50&sort=updated_at_desc", tokens.accessToken), 3),
      keepAsking(() => app.refresh(tokens.refreshToken), 3),
      keepAsking(() => app.call("/api/sources", tokens.accessToken, { name: "Hats", type: "podcast" }), 2),
    ];
    const seen: string[] = [];
    for (let path = "/api/responses?limit=100"; path; ) {
      const { data, next } = (await app.call(path, tokens.accessToken)).json() as {
        data: { id: string }[];
        next: string | null;
      };
      seen.push(...data.map(({ id }) => id));
      path = next ? next.slice(next.indexOf("/api/")) : "";
    }
    expect(seen.toSorted()).toEqual(records.map(({ id }) => id).toSorted());
    const counts = [];
    for (const load of loads) counts.push(await load.stop());
    reportRow({ scenario: "PgBouncer 1.18, session mode: the whole job", ...countCalls(counts, [200, 201]), wrong: 0 });
    expect(counts).toEqual([{ 200: expect.any(Number) }, { 200: expect.any(Number) }, { 201: expect.any(Number) }]);
  });

  test.each(SERVICE_ROLES)("%s has the same settings and plans as directly", async (role) => {
    const direct = urls[1 + SERVICE_ROLES.indexOf(role)] ?? expect.fail();
    const look = async (url: string) => {
      const sql = connectDatabase(url, { name: "test", connections: 1, settings: { lock_timeout: "777ms" } });
      try {
        const names = [...Object.keys(ROLE_SETTINGS[role]), "lock_timeout", "application_name"];
        const settings = await sql`SELECT name, current_setting(name) AS value FROM unnest(${names}::text[]) name`;
        const list = "SELECT doc FROM survey.responses WHERE shop_id = 'x' ORDER BY inserted_at, id LIMIT 50";
        const plan = role === "resource_server" ? await sql.unsafe(`EXPLAIN (COSTS OFF) ${list}`) : [];
        return [...settings, ...plan];
      } finally {
        await sql.end();
      }
    };
    const expected = await look(direct);
    expect(expected).toContainEqual({ name: "lock_timeout", value: "777ms" });
    expect(await look(pooler.through(direct))).toEqual(expected);
  });

  test.each(["transaction", "statement"] as const)(
    "pool_mode=%s: a service refuses to start, and one line says why",
    async (mode) => {
      const sharing = await pgBouncerOfTest(mode, urls);
      // Others use it meanwhile.
      const busy = connectDatabase(sharing.through(urls[0] ?? ""), { name: "busy", connections: 6 });
      const load = keepAsking(() => busy.unsafe("SELECT pg_sleep(0.005)").then(() => ({ status: 200 })), 6);
      const services = ["authorization-server", "resource-server", "worker"].entries();
      for (const [index, service] of mode === "statement" ? [...services].slice(1) : services) {
        const url = urls[1 + index];
        const outcome = await startService(service, sharing.through(url ?? ""), stack);
        expect(outcome).toEqual({
          code: 1,
          stderr:
            "configuration: DATABASE_URL leads to a pooler that shares sessions: PgBouncer needs pool_mode=session\n",
        });
      }
      await load.stop();
      await busy.end({ timeout: 1 });
    },
  );
});

/** Starts a service with the environment of the stack's, on another database URL, and waits for its end. */
async function startService(service: string, databaseUrl: string, stack: OwnStack) {
  const main = fileURLToPath(new URL(`../../../services/${service}/src/main.ts`, import.meta.url));
  const env = {
    PATH: process.env["PATH"],
    DATABASE_URL: databaseUrl,
    REDIS_URL: stack.now.redis_url,
    PUBLIC_BASE_URL: stack.now.base_url,
    JWKS_URL: `${stack.now.base_url}/oauth/api/jwks`,
    SIGNING_KEYS_FILE: `${stack.now.dataDir}/signing-keys.json`,
    HOST: "127.0.0.1",
    PORT: String(await freePort()),
    INTERNAL_PORT: String(await freePort()),
  };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stderr };
}

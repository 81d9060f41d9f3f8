import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendForm } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { runOperator } from "../../harness/actors/operator.ts";
import { basic, partner } from "../../harness/actors/partner.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

let stack: OwnStack;
let sql: Sql;
/** What the command line has printed on stderr. */
const printed: string[] = [];

beforeAll(async () => {
  stack = await startOwnStack();
  sql = connectDatabase(stack.now.database_url, { name: "test", connections: 1 });
});
afterAll(async () => {
  await sql?.end();
  await stack?.stop();
});

interface Line {
  readonly at: string;
  readonly action: string;
  readonly actor: string;
  readonly request_id: string | null;
}

async function cli(words: readonly string[], { stdin = "", exitCode = 0 } = {}) {
  const done = await runOperator(stack.now, [...words, "--json"], { stdin, env: { PARTNER_CONNECT_OPERATOR: "otto" } });
  expect(done.exitCode, done.stderr).toBe(exitCode);
  printed.push(...done.stderr.split("\n"));
  return exitCode === 0 ? JSON.parse(done.stdout) : done.stderr.trim().split("\n");
}

/** The lines of the stack's processes, by file. */
function logged(): Map<string, string[]> {
  const folder = join(stack.now.dataDir, "logs");
  const files = readdirSync(folder).map(
    (file) => [file, readFileSync(join(folder, file), "utf8").split("\n")] as const,
  );
  return new Map(files);
}

/** The audit lines among them, without what the logger adds. */
function auditLines(lines: Iterable<string>): Line[] {
  return [...lines].flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const { audit, level, time, pid, hostname, name, msg, ...record } = JSON.parse(line);
    return audit === true ? [record] : [];
  });
}

const byText = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
const FIELDS = ["at", "action", "actor", "client_id", "shop_id", "connection_id", "merchant_id", "request_id"];

async function rows(): Promise<Line[]> {
  const found = await sql<(Omit<Line, "at"> & { at: Date })[]>`
    SELECT at, event AS action, actor, client_id, shop_id, connection_id, merchant_id, request_id FROM oauth.audit_log
    UNION ALL SELECT at, event, actor, client_id, NULL, NULL, merchant_id, request_id FROM directory.audit_log`;
  return found.map(({ at, ...row }) => ({ at: at.toISOString(), ...row }));
}

test("each record of the audit log is one line of the process that made it, with ids and nothing that names anybody", {
  timeout: 120_000,
}, async () => {
  const names = { email: "anna@hats.example", other: "ben@hats.example", moved: "carla@hats.example" };
  const password = "violet kettle in the rain";
  for (const email of [names.email, names.other]) {
    await cli(["merchant", "create", "--email", email, "--name", "Annabel", "--password", password]);
  }
  const shop = await cli(["shop", "create", "--name", "Haberdashery", "--owner", names.email]);
  await cli(["shop", "set-plan", shop.id, "advanced_attribution"]);
  await cli(["shop", "rename", shop.id, "Milliners"]);
  await cli(["shop", "add-member", shop.id, names.other]);
  const address = "https://partner.example/callback";
  const onboard = ["client", "create", "--name", "Lookout", "--redirect-uri", address, "--scope", "responses:read"];
  const created = await cli(onboard);
  const refused = await cli(onboard, { exitCode: 1 });
  expect(refused).toEqual([expect.stringContaining('"error":"CLIENT_NAME_TAKEN"')]);
  const clientId = created.client_id;
  await cli(["client", "update", clientId, "--publisher", "Lookout Company"]);
  const key = await cli(["api-key", "create", "--shop", shop.id]);
  await cli(["api-key", "revoke", key.id, "--yes"]);
  const question = { id: 1, prompt: "Where?", type: "single_response", responses: [] };
  await cli(["question", "import", "--shop", shop.id, "-"], { stdin: JSON.stringify(question) });
  const response = { id: "r1", question: "Where?", response: "TV", email: "customer@mail.example" };
  await cli(["response", "import", "--shop", shop.id, "-"], { stdin: JSON.stringify(response) });
  await cli(["response", "recategorize", "--shop", shop.id, "--id", "r1", "--response", "Radio"]);
  await cli(["response", "delete", "--shop", shop.id, "--id", "r1", "--yes"]);

  const app = partner(stack.now, { clientId, secret: created.client_secret, name: "Lookout" });
  const browser = merchantBrowser({ email: names.email, password });
  const milliners = { ...shop, name: "Milliners" };
  const obtained = await app.obtainCode(browser, milliners);
  for (const status of [200, 400]) expect((await app.exchange(obtained)).status).toBe(status); // the second is a replay
  const { refreshToken } = await app.connect(browser, milliners);
  const revoked = await sendForm(
    `${stack.now.base_url}/oauth/api/revoke`,
    { token: refreshToken },
    { authorization: basic(app.client) },
  );
  expect(revoked.status).toBe(200);
  await app.connect(browser, milliners);
  await browser.decline(app.attempt().url);
  const [connection] = await cli(["connection", "list", "--client", clientId]);
  await cli(["connection", "disable", connection.id, "--yes"]);
  await cli(["connection", "enable", connection.id]);
  const list = await browser.open(`${stack.now.base_url}/oauth/connections`);
  await browser.press(await browser.press(list, "Disconnect"), "Disconnect");
  await app.connect(browser, milliners);
  await cli(["connection", "revoke", "--client", clientId, "--yes"]);
  for (let guess = 0; guess < 12; guess++) {
    await merchantBrowser({ email: names.other, password: `guess ${guess}` }).openConsent(app.attempt().url);
  }
  await cli(["merchant", "update", names.email, "--email", names.moved]);
  await cli(["merchant", "reset-link", names.moved]);
  await cli(["merchant", "set-password", names.moved, "--password", "another violet kettle"]);
  await cli(["purge", "--yes"]);
  await cli(["merchant", "erase", names.other, "--yes"]);
  await cli(["shop", "erase", shop.id, "--yes"]);
  await cli(["client", "delete", clientId, "--yes"]);
  await cli(["merchant", "erase", names.moved, "--yes"]);

  const recorded = (await rows()).sort(byText);
  const served = () => auditLines([...logged().values()].flat());
  await expect.poll(() => served().length + auditLines(printed).length).toBe(recorded.length);
  const lines = [...served(), ...auditLines(printed)];
  expect(lines.map((line) => JSON.parse(JSON.stringify(line, FIELDS))).sort(byText)).toEqual(
    recorded.map((line) => JSON.parse(JSON.stringify(line, FIELDS))),
  );
  for (const line of lines) expect(Object.keys(line).sort()).toEqual(FIELDS.toSorted());
  expect(auditLines(printed).every(({ actor }) => actor === "operator:otto")).toBe(true);
  const byServices = new Set(served().map(({ action }) => action));
  for (const action of [
    "signing_key_generate",
    "merchant_sign_in",
    "approve",
    "exchange",
    "code_replay",
    "revoke",
    "sign_in_throttled",
  ]) {
    expect(byServices).toContain(action);
  }
  const text = JSON.stringify(lines);
  for (const name of [...Object.values(names), "Annabel", "Haberdashery", "Milliners", "Lookout", "127.0.0.1", "::1"]) {
    expect(text, name).not.toContain(name);
  }

  // A line of a request has its id, as the process's own record of that request has.
  for (const [file, texts] of logged()) {
    if (!file.startsWith("authorization-server")) continue;
    const requests = new Set(texts.flatMap((line) => /"reqId":"([^"]+)"/.exec(line)?.[1] ?? []));
    for (const { request_id } of auditLines(texts)) expect(requests).toContain(request_id);
  }
});

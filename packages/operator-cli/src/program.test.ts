import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Cli } from "./cli.ts";
import { readConfig } from "./config.ts";
import { misused, operator, operatorOnOwnDatabase, refused } from "./testing.ts";

const { database, sql, cli } = await operatorOnOwnDatabase();
const folder = temporaryFolder(afterAll);

const anywhere = operator({});

test.each([
  ["--help", /Commands:.*merchant.*migrate/s],
  ["client --help", /Commands:.*rotate-secret.*Examples:/s],
  ["client create --help", /--redirect-uri <uri>.*--json.*Examples:\n {2}\$ \S+ client create/s],
  ["keys retire --help", /leaked key.*Examples:.*partner-connect keys retire \S+$/ms],
  ["migrate --help", /RESOURCE_SERVER_DB_PASSWORD.*Examples:/s],
])("'%s' prints the help without a local stack", async (command, help) => {
  expect(await anywhere(...command.split(" "))).toEqual({
    code: 0,
    stdout: expect.stringMatching(help),
    stderr: "",
  });
});

test.each([[[]], [["client"]]])("the command line %j shows the help on stderr", async (words) => {
  const usage = expect.stringMatching(/^Usage: .*\n[\s\S]*Commands:/);
  expect(await anywhere(...words)).toEqual({ code: 2, stdout: "", stderr: usage });
});

test.each<[string, RegExp]>([
  [
    "cleint list",
    /unknown command 'cleint' \(Did you mean client\?\); see 'partner-connect --help'/,
  ],
  [
    "client lst",
    /unknown command 'lst' \(Did you mean list\?\); see 'partner-connect client --help'/,
  ],
  [
    "client list --jsn",
    /unknown option '--jsn' \(Did you mean --json\?\); see '.* client list --help'/,
  ],
  ["client create --name A --scope s", /--redirect-uri <uri>' not specified; see/],
  ["merchant list --limit 0", /--limit "0" is not a whole number from 1/],
  [
    "connection list --status active",
    /'active' is invalid\. Allowed choices are connected, approved,/,
  ],
  ["client rotate-secret x --overlap 1h --now", /'--now' cannot be used with option '--overlap/],
  ["client rotate-secret x --overlap 31d", /the overlap must be 0 seconds to 30 days/],
  ["client update x", /no change is given; see 'partner-connect client update --help'/],
  ["connection revoke", /give a connection's id, or --client, --shop or both/],
  ["connection revoke con_1 --client x", /give a connection's id, or --client, --shop or both/],
  ["merchant end-sessions", /give a merchant.s email or id, or --all/],
  ["merchant end-sessions a@b.example --all", /give a merchant.s email or id, or --all/],
  ["audit list --action rename", /'rename' is invalid\. Allowed choices are approve, exchange,/],
  ["audit list --since 1h --until 2h", /--until is not after --since/],
  ["keys generate --alg RS256", /'RS256' is invalid\. Allowed choices are EdDSA, ES256/],
  ["migrate --wait soon", /--wait "soon" is not a time/],
  ["keys rotate --wait -1", /--wait/],
])("'%s' is refused with a one-line error", async (command, line) => {
  expect(await cli(...command.split(" "))).toEqual(misused(line));
});

test.each([
  [[], /^a command is missing$/, /--help/],
  [
    ["clients"],
    /^unknown command 'clients' \(Did you mean client\?\)$/,
    /^see 'partner-connect --help'$/,
  ],
])("with --json, %j is refused with a JSON error", async (words, message, hint) => {
  const { code, stdout, stderr } = await anywhere(...words, "--json");
  expect([code, stdout]).toEqual([2, ""]);
  expect(JSON.parse(stderr)).toEqual({
    error: "USAGE",
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

test("--version prints the release's version", async () => {
  const file = new URL("../../../package.json", import.meta.url);
  const { version } = JSON.parse(await readFile(file, "utf8"));
  expect(await anywhere("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("malformed variables are refused", async () => {
  const wrong = { ACCESS_TOKEN_TTL_SECONDS: "15m", PUBLIC_BASE_URL: "connect" };
  const problems = refused(/PUBLIC_BASE_URL .*; ACCESS_TOKEN_TTL_SECONDS /);
  expect(await operator(wrong)("client", "list")).toEqual(problems);
});

test("by default the signing keys are in .data, and the operator is the shell's user", () => {
  const local = { signingKeysFile: resolve(".data/signing-keys.json"), operator: "ada" };
  expect(readConfig({ USER: "ada" })).toMatchObject(local);
});

test("commands use the local stack that a file in DATA_DIR names, unless DATABASE_URL is set", async () => {
  const local = operator({ DATA_DIR: folder });
  const file = join(folder, "local-stack.json");
  const none = /no stack found.*local-stack\.json; start one with 'npx pnpm@12 dev', or set/;
  expect(await local("client", "list")).toEqual(refused(none));
  expect(await local.with({ DATABASE_URL: "" })("client", "list")).toEqual(refused(none));
  await writeFile(file, "{");
  expect(await local("client", "list")).toEqual(
    refused(/this is not readable: .*local-stack\.json/),
  );
  await writeFile(file, JSON.stringify({ database_url: database.url }));
  expect(await local.json("client", "list")).toEqual([]);
  await writeFile(file, JSON.stringify({ database_url: "postgres://localhost:1/none" }));
  expect(await local.with({ DATABASE_URL: database.url }).json("client", "list")).toEqual([]);
});

const changed = (change: (url: URL) => void) => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

test.each<[string, string, RegExp]>([
  ["an http scheme", "http://localhost/", /DATABASE_URL is not a URL such as/],
  [
    "a wrong password",
    changed((url) => (url.password = "s3cret")),
    /Postgres refuses the password in DATABASE_URL/,
  ],
  [
    "an unknown database",
    changed((url) => (url.pathname = "/nowhere")),
    /DATABASE_URL names does not exist/,
  ],
  ["a service's role", database.authorizationServerUrl, /use the owner of the schemas/],
])("a DATABASE_URL with %s is refused without printing a secret", async (_, url, line) => {
  const words = "client create --name L --redirect-uri https://l.example/ --scope responses:read";
  const outcome = await operator({ DATABASE_URL: url })(...words.split(" "));
  expect(outcome).toEqual(refused(line));
  expect(outcome.stderr).not.toContain("s3cret");
});

const COMMANDS = [
  "client list",
  "migrate",
  "connection revoke con_x",
  "response import --shop s -",
];
test.each(COMMANDS)(
  "if Postgres does not answer, '%s' fails with a one-line error that contains no secret",
  async (command) => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as { port: number };
    for (const at of ["127.0.0.1:1", `127.0.0.1:${port}`]) {
      const outcome = await operator({ DATABASE_URL: `postgres://owner:s3cret@${at}/x` })(
        ...command.split(" "),
      );
      expect(outcome).toEqual(refused(/Postgres does not answer \(\w+\); is it running/));
      expect(outcome.stderr).not.toContain("s3cret");
    }
    silent.close();
  },
);

test("if Postgres has no free connection, a command's error names the alert for that", async () => {
  await sql`CREATE ROLE limited LOGIN PASSWORD 's3cret' CONNECTION LIMIT 0`;
  onTestFinished(async () => void (await sql`DROP ROLE limited`));
  const url = Object.assign(new URL(database.url), { username: "limited", password: "s3cret" });
  const outcome = await operator({ DATABASE_URL: url.href })("client", "list");
  expect(outcome).toEqual(refused(/\(53300\); see alerts\.md, 'PostgresConnectionsHigh'/));
});

test("a command's sessions have time limits for idle transactions and, unless it reads whole tables, for statements", async () => {
  const { stdin, stdout, stderr } = process;
  const open = new Cli(
    readConfig({ DATABASE_URL: database.url }),
    { stdin, stdout, stderr },
    false,
  );
  const settings = (options?: { statementTimeout: number }) =>
    open.withDatabase(
      ({ sql }) => sql`
          SELECT current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('statement_timeout') AS statement`,
      options,
    );
  expect(await settings()).toEqual([{ idle: "1min", statement: "10s" }]);
  expect(await settings({ statementTimeout: 0 })).toEqual([{ idle: "1min", statement: "0" }]);
});

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const start = (...words: readonly string[]) =>
  spawn(process.execPath, [MAIN, ...words], {
    env: { ...process.env, DATABASE_URL: database.url },
  });

test("with --json, the program prints a document on stdout, or an error on stderr with exit code 1", async () => {
  const outcome = async (...words: string[]) => {
    const child = start(...words);
    child.stdin.end();
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };
  const none = { code: 0, stdout: "[]\n", stderr: "" };
  expect(await outcome("client", "list", "--json")).toEqual(none);
  const refusal = {
    error: "UNKNOWN_CLIENT",
    message: 'there is no client "client_x"',
    hint: "'partner-connect client list' lists them",
  };
  const stderr = `${JSON.stringify(refusal)}\n`;
  expect(await outcome("client", "disable", "client_x", "--json")).toEqual({
    code: 1,
    stdout: "",
    stderr,
  });
});

test("the program ends when an import is refused while its source is still sending", async () => {
  const child = start("response", "import", "--shop", "shop_x", "-");
  child.stdin.on("error", () => {});
  child.stdin.write("{}\n");
  expect((await once(child, "close"))[0]).toBe(1);
});

test("the program ends without an error when its output is closed", async () => {
  const child = start("--help");
  child.stdout.destroy();
  const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(stderr).toBe("");
});

test("the program completes its command when its stderr is closed", async () => {
  const child = start("product-key", "create", "--name", "Closed");
  child.stderr.destroy();
  expect(await text(child.stdout)).toContain("Closed");
});

describe("stored text can't control the terminal", () => {
  /** A C1 control that begins a sequence, DEL, marks of direction, a separator of lines. */
  const EVIL = "Eve\u009b2J\u007f\u202e\u2066\u200f\u2028x";
  /** Control characters that a terminal may interpret, except line ends. */
  const ORDERS = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  const EMAIL = "eve@shop.example";

  beforeAll(async () => {
    await sql`INSERT INTO directory.merchants (email, name, password_hash) VALUES (${EMAIL}, ${EVIL}, '-')`;
    await sql`INSERT INTO directory.shops (id, name, plan) VALUES ('shop_evil', ${EVIL}, 'standard')`;
  });

  test.each<[string, string[]]>([
    ["a list", ["merchant", "list"]],
    ["a list of fields", ["shop", "show", "shop_evil"]],
    ["the result of a command", ["merchant", "enable", EMAIL]],
    ["an error", ["shop", "show", `${EVIL}?`]],
    ["an error of the command line", ["shop", EVIL]],
  ])("%s prints stored text without control characters", async (_where, words) => {
    const { stdout, stderr } = await cli(...words);
    expect((stdout + stderr).length).toBeGreaterThan(10);
    expect([stdout, stderr].filter((text) => ORDERS.test(text))).toEqual([]);
  });

  test("JSON output escapes control characters without changing the text", async () => {
    const { stdout } = await cli("shop", "show", "shop_evil", "--json");
    expect(stdout).toContain("Eve\\u009b2J\\u007f\\u202e\\u2066\\u200f\\u2028x");
    expect(stdout).not.toMatch(ORDERS);
    expect(JSON.parse(stdout)).toMatchObject({ name: EVIL });
    const { stderr } = await cli("shop", "show", `${EVIL}?`, "--json");
    expect(stderr).not.toMatch(ORDERS);
    expect(JSON.parse(stderr).message).toContain("Eve");
  });

  test("a confirmation prompt prints stored text without control characters", async () => {
    const stderr = await cli.declined("merchant", "disable", EMAIL);
    expect(stderr).toContain("Eve");
    expect(stderr).not.toMatch(/[\u0080-\u009f\u202e\u2066\u200f\u2028]/);
  });
});

const words = ["--redirect-uri", "https://l.example/", "--scope", "responses:read"];

/** The line with each of the words that bars separate, such as `show|enable`. */
const each = (line: string) => {
  const [words = ""] = /\S+\|\S+/.exec(line) ?? [];
  return words.split("|").map((word) => line.replace(words, word));
};

test.each([
  [
    "client",
    `client show|activity|disable|enable GIVEN, client rotate-secret GIVEN --now,
       client update GIVEN --publisher Acme, connection list|revoke --client GIVEN,
       audit|partner|webhook list --client GIVEN`,
  ],
  [
    "shop",
    `api-key create|list --shop GIVEN, connection list|revoke --shop GIVEN,
       audit list --shop GIVEN, shop show GIVEN, shop set-plan GIVEN standard,
       shop rename GIVEN GIVEN, shop add-member GIVEN new@shop.example --create,
       shop remove-member GIVEN new@shop.example`,
  ],
  [
    "merchant",
    `merchant show|disable|enable|reset-link|remove-passkeys|forget-identity|end-sessions GIVEN,
       merchant set-password GIVEN --password correct-horse, audit list --merchant GIVEN,
       shop create --name Caps --owner GIVEN`,
  ],
])("each command for a %s accepts the id as well as the name or email", async (noun, commands) => {
  const run = crypto.randomUUID();
  const email = `${run}@shop.example`;
  const create = (noun: string, ...words: string[]) => cli.json(noun, "create", "--name", ...words);
  const merchant = await create("merchant", "M", "--email", email, "--password", "correct horse");
  const shop = await create("shop", `Hats ${run}`, "--owner", email);
  const client = await create("client", `App ${run}`, ...words);
  const given = {
    ...{ merchant: [merchant.id, email], shop: [`Hats ${run}`, shop.id] },
    client: [`App ${run}`, client.client_id],
  }[noun as "shop"];
  for (const name of given) {
    for (const command of commands.split(/,\s+/).flatMap(each)) {
      const { code, stderr } = await cli(
        ...command.split(" ").map((word) => (word === "GIVEN" ? name : word)),
      );
      expect([command, code, stderr.replace(/^\{"audit".*\n/gm, "")]).toEqual([
        command,
        0,
        expect.not.stringMatching(/^partner-connect/),
      ]);
    }
  }
});

test.each<[string, RegExp]>([
  ["client show client_x", /no client "client_x"; '.* client list' lists them/],
  ["connection list --client client_x", /no client "client_x"/],
  ["shop show shop_x", /no shop "shop_x"; 'partner-connect shop list' lists them/],
  ["response import --shop shop_x -", /no shop "shop_x"/],
  [
    "shop show Alike",
    /several shops .* "Alike": two_1 "Alike", two_2 "Alike"; give the id as id:ID/,
  ],
  ["merchant show e@x.example", /no merchant with the email "e@x.example"; '.* merchant list'/],
  ["audit list --merchant mer_x", /no merchant "mer_x"/],
  ["connection show con_x", /no connection "con_x"; '.* connection list' lists them/],
  ["api-key revoke key_x", /no API key .*"key_x"; '.* api-key list' lists them/],
  ["product-key revoke pky_x", /no product key "pky_x"; '.* product-key list' lists them/],
  ["webhook show whk_x", /no endpoint with the id "whk_x"/],
])("a name or id that matches nothing, or several rows, is refused (%s)", async (command, line) => {
  await sql`
      INSERT INTO directory.shops (id, name, plan) SELECT 'two_' || n, 'Alike', 'standard' FROM generate_series(1, 2) n
      ON CONFLICT DO NOTHING`;
  expect(await cli(...command.split(" "))).toEqual(refused(line));
});

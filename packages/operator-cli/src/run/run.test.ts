import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { misused, operator, refused } from "../testing.ts";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  folder = await mkdtemp(join(tmpdir(), "cli-run-"));
});

afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe("the command line", () => {
  const cli = operator({});

  test.each([
    [[], /Commands:[\s\S]*merchant[\s\S]*migrate/],
    [["client"], /Commands:[\s\S]*rotate-secret[\s\S]*Examples:/],
    [["client", "create"], /--redirect-uri <uri>[\s\S]*--json[\s\S]*Examples:\n {2}\$ partner-connect client create/],
    [["keys", "retire"], /leaked key[\s\S]*Examples:/],
    [["keys"], /keys rotate/],
    [["migrate"], /RESOURCE_SERVER_DB_PASSWORD[\s\S]*Examples:/],
  ])("%j --help is enough to work from, and needs no stack", async (words, help) => {
    expect(await cli(...words, "--help")).toEqual({ code: 0, stdout: expect.stringMatching(help), stderr: "" });
  });

  test.each([[[]], [["client"]]])("%j alone shows the help on stderr", async (words) => {
    expect(await cli(...words)).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^Usage: .*\n[\s\S]*Commands:/),
    });
  });

  test.each<[string[], RegExp]>([
    [["cleint", "list"], /unknown command 'cleint' \(Did you mean client\?\); see 'partner-connect --help'/],
    [["client", "lst"], /unknown command 'lst' \(Did you mean list\?\); see 'partner-connect client --help'/],
    [
      ["client", "list", "--jsn"],
      /unknown option '--jsn' \(Did you mean --json\?\); see 'partner-connect client list --help'/,
    ],
    [["client", "list", "more"], /too many arguments.*; see 'partner-connect client list --help'/],
    [["client", "create", "--name"], /option '--name <name>' argument missing; see/],
  ])("%j is refused with one line that helps", async (words, line) => {
    expect(await cli(...words)).toEqual(misused(line));
  });

  test.each([
    [[], /^a command is missing$/, /--help/],
    [["clients"], /^unknown command 'clients' \(Did you mean client\?\)$/, /^see 'partner-connect --help'$/],
    [
      ["client", "create", "--name"],
      /^option '--name <name>' argument missing$/,
      /^see 'partner-connect client create/,
    ],
  ])("%j --json is refused with a document", async (words, message, hint) => {
    const { code, stdout, stderr } = await cli(...words, "--json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(JSON.parse(stderr)).toEqual({
      error: "USAGE",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  test("--version is that of the release", async () => {
    const { version } = JSON.parse(await readFile(new URL("../../../../package.json", import.meta.url), "utf8"));
    expect(await cli("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("help is bold on a terminal alone, and as NO_COLOR and FORCE_COLOR say", async () => {
    const bold = "\x1b[1mUsage:\x1b[22m";
    const help = async (who: typeof cli) => (await who("client", "--help")).stdout;
    expect(await help(cli)).not.toContain("\x1b");
    expect(await help(cli.atTerminal())).toContain(bold);
    expect(await help(cli.atTerminal().with({ NO_COLOR: "1" }))).not.toContain("\x1b");
    expect(await help(cli.with({ FORCE_COLOR: "1" }))).toContain(bold);
    expect(await help(cli.atTerminal().with({ TERM: "dumb" }))).not.toContain("\x1b");
  });
});

describe("the stack", () => {
  test("is the local one of DATA_DIR, by its file", async () => {
    const cli = operator({ DATA_DIR: folder });
    expect(await cli("client", "list")).toEqual(
      refused(/no stack found.*local-stack\.json; start one with 'pnpm dev', or set/),
    );
    await writeFile(join(folder, "local-stack.json"), "{");
    expect(await cli("client", "list")).toEqual(refused(/it can't read .*local-stack\.json/));
    await writeFile(join(folder, "local-stack.json"), JSON.stringify({ database_url: database.url }));
    expect(await cli.json("client", "list")).toEqual([]);
  });

  test("is the one that DATABASE_URL names, before any other", async () => {
    await writeFile(join(folder, "local-stack.json"), JSON.stringify({ database_url: "postgres://localhost:1/none" }));
    expect(await operator({ DATA_DIR: folder, DATABASE_URL: database.url }).json("client", "list")).toEqual([]);
  });

  test.each(["nonsense", "http://localhost/", ""])("is refused when DATABASE_URL is %j", async (url) => {
    expect(await operator({ DATA_DIR: join(folder, "none"), DATABASE_URL: url })("client", "list")).toEqual(
      refused(url === "" ? /no stack found/ : /DATABASE_URL is not a URL such as/),
    );
  });

  test("is not changed by a service's role, which lacks the rights", async () => {
    const cli = operator({ DATABASE_URL: database.authorizationServerUrl });
    const client = ["--name", "Lookout", "--redirect-uri", "https://lookout.example/", "--scope", "responses:read"];
    expect(await cli("client", "create", ...client)).toEqual(refused(/use the owner of the schemas/));
  });
});

describe("without Postgres every command ends in seconds, with one line and no secret", () => {
  let silent: Server;
  let silentUrl: string;

  beforeAll(async () => {
    silent = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    silentUrl = `postgres://owner:s3cret@127.0.0.1:${(silent.address() as { port: number }).port}/x`;
  });

  afterAll(() => {
    silent.close();
  });

  test.each([
    [["client", "list"]],
    [["migrate"]],
    [["connection", "revoke", "con_x"]],
    [["response", "import", "--shop", "s", "-"]],
  ])("%j", async (words) => {
    for (const url of ["postgres://owner:s3cret@127.0.0.1:1/x", silentUrl]) {
      const outcome = await operator({ DATABASE_URL: url })(...words);
      expect(outcome).toEqual(refused(/Postgres does not answer \(\w+\); is it running/));
      expect(outcome.stderr).not.toContain("s3cret");
    }
  });

  test("a wrong password or database is told apart", async () => {
    const [password, missing] = [new URL(database.url), new URL(database.url)];
    password.password = "s3cret";
    missing.pathname = "/nowhere";
    expect(await operator({ DATABASE_URL: password.href })("client", "list")).toEqual(
      refused(/Postgres refuses the password in DATABASE_URL/),
    );
    expect(await operator({ DATABASE_URL: missing.href })("client", "list")).toEqual(
      refused(/the database that DATABASE_URL names does not exist/),
    );
  });
});

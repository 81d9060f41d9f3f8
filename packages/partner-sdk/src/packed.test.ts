import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packSdk } from "../packing/pack-sdk.ts";
import { PACKED } from "../packing/packed-sdk.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** A partner's project, with the package as it would be published. */
let project: string;
let installed: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "partner-connect-packed-"));
  installed = join(project, "node_modules/@partner-connect/partner-sdk");
  await mkdir(installed, { recursive: true });
  await packSdk();
  await copyFile(PACKED, join(project, "partner-sdk.tgz"));
  await run("tar", ["-xzf", "partner-sdk.tgz", "-C", installed, "--strip-components=1"]);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
}, 120_000);
afterAll(() => rm(project, { recursive: true, force: true }));

function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    execFile(command, args, { cwd: project }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) || 1 : 0, output: stdout + stderr });
    });
  });
}

/** Runs a program of the partner as a module, by default with this Node. */
const runs = async (program: string, node = process.execPath) =>
  await run(node, ["--input-type=module", "--eval", program]);

test("publint finds no problem in the packed SDK", async () => {
  const { messages } = await publint({
    pkgDir: installed,
    pack: false,
    strict: true,
    level: "suggestion",
  });
  expect(messages).toEqual([]);
});

test("the package's types resolve for every way to import an ESM package", async () => {
  const analysis = await checkPackage(
    createPackageFromTarballData(readFileSync(join(project, "partner-sdk.tgz"))),
  );
  if (!analysis.types) return expect.fail("it has no types");
  // What attw calls the profile esm-only: neither Node 10 nor `require` is for this package.
  const ignored = ["node10", "node16-cjs"];
  const problems = analysis.problems.filter(
    (problem) => !("resolutionKind" in problem && ignored.includes(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
});

/** What the README uses of Express and express-session, whose own types need Node's. */
const EXPRESS = `declare module "express-session" {
  interface Cookie { sameSite: "lax"; secure: boolean }
  export default function session(options: { secret: string; resave: boolean; saveUninitialized: boolean; cookie: Cookie }): object;
  interface SessionData { cookie: object }
  interface Session { save(done?: (error: any) => void): this }
}
declare module "express" {
  import type { Session, SessionData } from "express-session";
  interface Request { readonly url: string; readonly query: any; readonly session: Session & Partial<SessionData> }
  interface Response { redirect(url: string): void; status(code: number): Response; send(text: string): void }
  type Handler = (request: Request, response: Response) => Promise<void>;
  interface Application { set(name: string, value: unknown): void; use(handler: object): void; get(path: string, handler: Handler): void }
  export default function express(): Application;
}`;

test("every snippet of the SDK's README compiles in a strict project without Node's types", async () => {
  const readme = readFileSync(join(installed, "README.md"), "utf8");
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, snippet]) => snippet);
  expect(snippets.length).toBeGreaterThan(8);
  await writeFile(join(project, "program.ts"), snippets.join("\n"));
  await writeFile(join(project, "express.d.ts"), EXPRESS);
  const compiler = join(PACKAGE, "../../node_modules/.bin/tsc");
  const options =
    "--noEmit --strict --module nodenext --target es2022 --lib es2022,dom,dom.asynciterable".split(
      " ",
    );
  expect(await run(compiler, [...options, "--types", "", "program.ts", "express.d.ts"])).toEqual({
    code: 0,
    output: "",
  });
});

/** Texts, without comments, of these files of `dist` and of those that they `link` to. */
function filesFrom(entries: readonly string[], link: RegExp, suffix = ""): Map<string, string> {
  const seen = new Map<string, string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    const text = readFileSync(join(installed, "dist", file), "utf8").replace(
      /^\s*\/\*\*[\s\S]*?\*\/\n/gm,
      "",
    );
    seen.set(file, text);
    for (const [, name = ""] of text.matchAll(link))
      follow(join(dirname(file), `${name}${suffix}`));
  };
  entries.forEach(follow);
  return seen;
}

test("the main entry imports only files of the package, no module of Node", () => {
  const files = filesFrom(["index.js"], /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  expect(files.size).toBeGreaterThan(10);
  expect([...files.values()].join("\n").match(/(?:from|import)\s*\(?\s*"[^".][^"]*"/g)).toBeNull();
});

test("the package's exported types equal public-types.txt", async () => {
  const files = filesFrom(["index.d.ts", "sqlite.d.ts"], /^export .* from "(\..*)\.ts"/gm, ".d.ts");
  const text = [...files].map(([file, types]) => `// ${file}\n${types}`).join("\n");
  await expect(text).toMatchFileSnapshot("../public-types.txt");
});

test("the package has no dependency, no test and no source", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.private).toBeUndefined();
  const files = readdirSync(installed, { recursive: true }).map(String);
  expect(files.filter((file) => /test|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(files).toContain("README.md");
});

/** Removes Node's own globals, makes a link, and calls a server that isn't there. */
const PROGRAM = `
  const { log } = console;
  for (const name of ["process", "Buffer", "global", "setImmediate", "clearImmediate", "require"]) delete globalThis[name];
  const { MemoryStore, PartnerConnect } = await import("@partner-connect/partner-sdk");
  let now = 0;
  const partnerConnect = new PartnerConnect({
    baseUrl: "http://127.0.0.1:9", clientId: "c", clientSecret: "s", store: new MemoryStore(),
    clock: { now: () => now, sleep: async (ms) => { now += ms } },
  });
  const { url, pending } = await partnerConnect.beginAuthorization({ redirectUri: "http://localhost/callback", scope: ["responses:read"] });
  const callback = "/callback?code=x&iss=http%3A%2F%2F127.0.0.1%3A9&state=" + new URL(url).searchParams.get("state");
  await partnerConnect.completeAuthorization(callback, pending).catch((error) => log(error.code));`;

/** Node executables on the machine's PATH, besides the project's own. */
const nodes = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .map((folder) => join(folder, "node"));

test("the package needs only standard globals on every Node in PATH from version 20", async () => {
  expect(await runs(PROGRAM)).toEqual({ code: 0, output: "unavailable\n" });
  for (const node of nodes) {
    const { code, output } = await run(node, ["--version"]);
    if (code !== 0 || Number(/^v(\d+)/.exec(output)?.[1]) < 20) continue;
    expect([output, await runs(PROGRAM, node)]).toEqual([
      output,
      { code: 0, output: "unavailable\n" },
    ]);
  }
});

test("the SQLite store is available on a Node that has SQLite", async () => {
  const program = `
    const { SqliteStore } = await import("@partner-connect/partner-sdk/sqlite");
    const store = new SqliteStore(":memory:");
    console.log(await store.get("x"));`;
  const { code, output } = await runs(program);
  expect([code, output.split("\n")[0]]).toEqual([0, "null"]);
});

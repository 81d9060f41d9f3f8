import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onboard, onboardApiKey, REDIRECT_URI } from "../../harness/actors/onboarding.ts";
import { type Outcome, outsideTools, run } from "../../harness/developer-docs/outside-tools.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const TARBALL = `${stack.base_url}/docs/partner-sdk.tgz`;

let tool: (name: string, file: string) => string;
/** A folder outside of the workspace, with the SDK installed by npm. */
let project: string;
let world: Record<string, string>;
const folders: string[] = [];

beforeAll(async () => {
  const [tools, onboarded] = await Promise.all([outsideTools(), onboard(stack)]);
  tool = tools;
  const { client, shop } = onboarded;
  const { key } = await onboardApiKey(stack, shop);
  world = {
    BASE: stack.base_url,
    CLIENT_ID: client.clientId,
    CLIENT_SECRET: client.secret,
    API_KEY: key,
    REDIRECT_URI,
    SHOP: shop.name,
  };
  project = await emptyProject();
  expect(await run("npm", ["install", TARBALL], project)).toMatchObject({ code: 0 });
}, 600_000);
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "partner-connect-outside-"));
  folders.push(folder);
  await writeFile(join(folder, "package.json"), '{ "name": "outside", "private": true, "type": "module" }');
  await writeFile(join(folder, "program.js"), PROGRAM);
  await writeFile(join(folder, "store.js"), STORE);
  await writeFile(join(folder, "required.cjs"), PROGRAM_BY_REQUIRE);
  return folder;
}

const VARIABLES =
  "const { BASE: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, API_KEY: apiKey, REDIRECT_URI: redirectUri } = process.env;";
/** A link, a call by HTTP Basic, a walk of a list, and an error with its class. */
const JOB = `
  const partnerConnect = new PartnerConnect({ baseUrl, clientId, clientSecret, store: new MemoryStore() });
  const { url } = await partnerConnect.beginAuthorization({ redirectUri, scope: ["responses:read"] });
  if (!(await fetch(url, { redirect: "manual" })).headers.get("location").includes("/oauth/authorization")) throw new Error("no link");
  await partnerConnect.changes();
  const shop = shopWithApiKey({ baseUrl, apiKey });
  for await (const question of shop.listQuestions()) void question;
  const error = await partnerConnect.shop("none").connection().catch((error) => error);
  console.log((await shop.connection()).shop.name, error instanceof UnknownConnection);`;
const NAMES = "{ MemoryStore, PartnerConnect, shopWithApiKey, UnknownConnection }";
const PROGRAM = `import process from "node:process";
import ${NAMES} from "@partner-connect/partner-sdk";
${VARIABLES}
${JOB}`;
const PROGRAM_BY_REQUIRE = `const ${NAMES} = require("@partner-connect/partner-sdk");
${VARIABLES}
(async () => { ${JOB} })();`;
const STORE = `import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
try { console.log(await new SqliteStore(":memory:").get("x")); } catch (error) { console.log(error.code, error.message); }`;

const done = () => ({ code: 0, output: `${world["SHOP"]} true\n` });

test.each([
  ["npm", "npm", ["install", TARBALL]],
  ["pnpm", "pnpm/bin/pnpm.cjs", ["add", TARBALL]],
  ["Yarn 1", "yarn-1/bin/yarn.js", ["add", TARBALL]],
  ["Yarn 4", "yarn-4/bin/yarn.js", ["add", `@partner-connect/partner-sdk@${TARBALL}`]],
  ["Bun", "bun/bin/bun", ["add", TARBALL]],
])("%s installs it outside of the workspace, and a program runs with it", async (name, path, args) => {
  const folder = await emptyProject();
  const [first = "", ...rest] = path.split("/");
  const program =
    name === "npm"
      ? ["npm"]
      : path.endsWith("js")
        ? [process.execPath, tool(first, rest.join("/"))]
        : [tool(first, rest.join("/"))];
  const [command = "", ...before] = program;
  // Yarn 4 refuses plain http, which only this machine has, and would not make node_modules.
  const yarn4 = {
    YARN_NODE_LINKER: "node-modules",
    YARN_UNSAFE_HTTP_WHITELIST: "localhost",
    YARN_ENABLE_TELEMETRY: "0",
  };
  const installed = await run(command, [...before, ...args], folder, yarn4);
  expect(installed.code, installed.output).toBe(0);
  expect(await run(process.execPath, ["program.js"], folder, world)).toEqual(done());
});

describe.each([
  [
    "Node 20",
    "node-20/bin/node",
    [],
    "invalid_request SqliteStore needs node:sqlite, which Node has from 22.13 on, and this is v20.20.2",
  ],
  ["Node 22", "node-22/bin/node", ["--no-warnings"], "null"],
  ["Node 24", "node-24/bin/node", ["--no-warnings"], "null"],
  ["Bun", "bun/bin/bun", [], "null"],
  ["Deno", "deno/deno", ["run", "-A", "--node-modules-dir=manual"], "null"],
])("%s", (_, path, args, store) => {
  const runs = async (file: string) => {
    const [first = "", ...rest] = path.split("/");
    return await run(tool(first, rest.join("/")), [...args, file], project, world);
  };

  test("runs a program with it", async () => {
    expect(await runs("program.js")).toEqual(done());
  });

  test("requires it from CommonJS", async () => {
    const { code, output } = await runs("required.cjs");
    expect([code, output.split("\n")[0]]).toEqual([0, `${world["SHOP"]} true`]);
  });

  test("has its SQLite store, or says what that needs", async () => {
    const { code, output } = await runs("store.js");
    expect([code, output]).toEqual([0, expect.stringContaining(store)]);
  });
});

/** TypeScript 5.0 has no library of DOM's async iterables. */
const lib = (version: string) => ["es2022", "dom", "dom.iterable", ...(version === "5.0" ? [] : ["dom.asynciterable"])];

/** What the compiler says of a program in a folder of its own. */
async function compiled(version: string, name: string, program: string, options: object): Promise<Outcome> {
  const folder = join(project, `${version}-${name}`);
  await mkdir(folder);
  await writeFile(join(folder, "program.ts"), program);
  const compilerOptions = { noEmit: true, strict: true, target: "es2022", lib: lib(version), types: [], ...options };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: name === "cjs" ? "commonjs" : "module" }));
  return await run(process.execPath, [tool(`typescript-${version}`, "bin/tsc"), "-p", "."], folder);
}
const CLEAN = { code: 0, output: "" };

describe.each(["5.0", "5.4", "5.9", "6.0", "7.0"])("TypeScript %s", (version) => {
  test.each([
    ["node16", "node16"],
    ["bundler", "esnext"],
  ])("compiles each snippet of its README with moduleResolution %s", async (moduleResolution, module) => {
    const readme = await readFile(join(project, "node_modules/@partner-connect/partner-sdk/README.md"), "utf8");
    const snippets = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, snippet]) => snippet);
    const options = { module, moduleResolution };
    expect(await compiled(version, moduleResolution, snippets.join("\n"), options)).toEqual(CLEAN);
  });
});

test.each(["5.9", "6.0", "7.0"])("TypeScript %s compiles CommonJS that imports it, with nodenext", async (version) => {
  const program =
    'import { MemoryStore } from "@partner-connect/partner-sdk";\nexport const store = new MemoryStore();';
  expect(await compiled(version, "cjs", program, { module: "nodenext" })).toEqual(CLEAN);
});

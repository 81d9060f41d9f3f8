import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { mainStack } from "../harness/stack/stacks.ts";
import manifest from "../package.json" with { type: "json" };
import { type LibraryProgram, libraryProgram, PAGE, type PageProgram, PROGRAMS, type Run } from "./library-program.ts";

const stack = mainStack();
/** Where a program that is a site of its own takes callbacks, and where one that is given them would. */
const REDIRECT_URIS = ["/callback", "/auth/callback/partner-connect", "/connect/partner-connect/callback"].map(
  (path) => `http://localhost${path}`,
);
let world: Onboarded;
let browser: MerchantBrowser;
let ids: readonly string[];

beforeAll(async () => {
  world = await onboard(stack, { redirectUris: REDIRECT_URIS });
  browser = merchantBrowser(world.merchant);
  const records = generateResponses(10, "libraries");
  await importRecords(stack, "response", world.shop, records);
  ids = records.map(({ id }) => id);
});

/** As far as the link to us: on the terminal, or behind a button of the program's own site. */
async function begin(run: Run): Promise<{ link: string; isSite: boolean }> {
  const opened = (await run.line(/Open \S+\n/)).slice("Open ".length).trim();
  if (opened.startsWith(stack.base_url)) return { link: opened, isSite: false };
  const page = await browser.open(opened);
  const button = page.forms[0]?.buttons[0]?.text;
  return { link: (button ? await browser.press(page, button) : page).url, isSite: true };
}

/** The merchant's browser comes back, or the developer pastes where it was sent. */
async function comeBack(run: Run, callback: string, isSite: boolean): Promise<string> {
  if (isSite) return (await browser.open(callback)).text;
  run.type(callback);
  return "";
}

/** Three of the shop's responses. */
async function reads(run: Run): Promise<void> {
  const [, ...read] = (await run.line(/read res_[^\n]+\n/)).trim().split(" ");
  expect([new Set(read).size, read.filter((id) => !ids.includes(id))]).toEqual([3, []]);
}

/** What the page calls needed, and what a program prints that has something else `instead`. */
const SETTINGS: readonly { file: string; setting: string; instead: string; refusal: RegExp }[] = [
  {
    file: "openid-client.ts",
    setting: "{}, oauth.ClientSecretBasic(CLIENT_SECRET)",
    instead: "CLIENT_SECRET, undefined",
    refusal: /401|invalid_client/,
  },
  { file: "auth-js.ts", setting: 'issuer: "{base_url}",', instead: "", refusal: /unexpected "iss"/ },
  {
    file: "passport-oauth2.ts",
    setting: "customHeaders: {",
    instead: "clientSecret: CLIENT_SECRET, other: {",
    refusal: /invalid_client/,
  },
  {
    file: "grant.ts",
    setting: 'token_endpoint_auth_method: "client_secret_basic",',
    instead: "",
    refusal: /invalid_client/,
  },
  {
    file: "requests_oauthlib_client.py",
    setting: ", auth=(client_id, client_secret)",
    instead: "",
    refusal: /invalid_client/,
  },
  { file: "client.rb", setting: "auth_scheme: :basic_auth,", instead: "", refusal: /invalid_client/ },
  { file: "client.pl", setting: "secrets_in_params => 0,", instead: "", refusal: /invalid_client/ },
];

const made: LibraryProgram[] = [];
afterAll(() => Promise.all(made.map((program) => program.remove())));

async function make(text: PageProgram): Promise<LibraryProgram | string> {
  const program = await libraryProgram(text, stack.base_url);
  if (typeof program !== "string") made.push(program);
  return program;
}

/** Starts the program, takes a walk with it, and ends it. `skip`: where it can't be run. */
async function walk(
  program: LibraryProgram | string,
  skip: (note: string) => never,
  steps: (run: Run) => Promise<void>,
) {
  if (typeof program === "string") return skip(program);
  const run = program.start({ CLIENT_ID: world.client.clientId, CLIENT_SECRET: world.client.secret });
  try {
    await steps(run);
  } finally {
    run.kill();
    await run.end();
  }
}

describe.each(PROGRAMS)("$file", (text) => {
  let program: LibraryProgram | string;
  beforeAll(async () => {
    program = await make(text);
  });
  test("connects, reads, refreshes twice, and is told that the connection was revoked", async ({ skip }) => {
    await walk(program, skip, async (run) => {
      const { link, isSite } = await begin(run);
      await comeBack(run, await browser.approve(link, world.shop), isSite);
      await reads(run);
      for (let refresh = 1; refresh <= 2; refresh++) {
        run.type("");
        await reads(run);
      }
      await operator(stack, ["connection", "revoke", "--client", world.client.clientId, "--yes"]);
      run.type("");
      const end = await run.end();
      expect(end.match(/invalid_grant|grant revoked/g)).toEqual(
        expect.arrayContaining(["invalid_grant", "grant revoked"]),
      );
      expect(end.match(/read res_/g)).toHaveLength(3);
    });
  });

  const needed = SETTINGS.filter(({ file }) => file === text.file);
  test.for(needed)("is refused without $setting", async ({ setting, instead, refusal }, { skip }) => {
    expect(text.text).toContain(setting);
    const changed = await make({ ...text, text: text.text.replace(setting, instead) });
    await walk(changed, skip, async (run) => {
      const { link, isSite } = await begin(run);
      await comeBack(run, await browser.approve(link, world.shop), isSite);
      run.type("");
      await run.line(refusal);
    });
  });

  test("is told that the merchant declined", async ({ skip }) => {
    await walk(program, skip, async (run) => {
      const { link, isSite } = await begin(run);
      await comeBack(run, await browser.decline(link), isSite);
      await run.line(/access_denied/);
    });
  });

  test.for([
    ["state", "made-up"],
    ["iss", "https://elsewhere.example"],
  ] as const)("connects nothing when the callback has another %s", async ([parameter, value], { skip }) => {
    await walk(program, skip, async (run) => {
      const { link, isSite } = await begin(run);
      const callback = new URL(await browser.approve(link, world.shop));
      callback.searchParams.set(parameter, value);
      expect(await comeBack(run, callback.href, isSite)).not.toContain("Connected.");
      if (isSite) run.kill();
      expect(await run.end()).not.toMatch(/read res_|invalid_grant/);
    });
  });
});

test("the page names the versions that are run", () => {
  const rows = PAGE.matchAll(/^\| \[([^\]]+)\]\(\S+\) \| (\S+) \|/gm);
  const named = [...rows].map(([, name = "", version]) => [name === "Auth.js" ? "@auth/express" : name, version]);
  const installed = Object.entries(manifest.devDependencies).filter(([name]) => named.some(([row]) => row === name));
  expect(named).toEqual(expect.arrayContaining(installed));
  expect([named.length, installed.length]).toEqual([PROGRAMS.length, 7]);
});

import { expect, test } from "vitest";
import { merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { onboard } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { generateResponses, importRecords } from "../harness/actors/survey.ts";
import { mainStack } from "../harness/stack/stacks.ts";
import { libraryProgram, PROGRAMS, type Run } from "./library-program.ts";

const stack = mainStack();
/** Callback URLs of programs that run a site, and of programs that are given the callback's URL. */
const REDIRECT_URIS = [
  "/callback",
  "/auth/callback/partner-connect",
  "/connect/partner-connect/callback",
].map((path) => `http://localhost${path}`);

const world = await onboard(stack, { redirectUris: REDIRECT_URIS });
const browser = merchantBrowser(world.merchant);
const records = generateResponses(10, "libraries");
await importRecords(stack, "response", world.shop, records);
const ids = records.map(({ id }) => id);

/** The authorize link: printed on the terminal, or behind a button of the program's site. */
async function begin(run: Run): Promise<{ link: string; isSite: boolean }> {
  const opened = (await run.line(/Open \S+\n/)).slice("Open ".length).trim();
  if (opened.startsWith(stack.base_url)) return { link: opened, isSite: false };
  const page = await browser.open(opened);
  const button = page.forms[0]?.buttons[0]?.text;
  return { link: (button ? await browser.press(page, button) : page).url, isSite: true };
}

/** Expects that the program reads three of the shop's responses. */
async function reads(run: Run): Promise<void> {
  const [, ...read] = (await run.line(/read res_[^\n]+\n/)).trim().split(" ");
  expect([new Set(read).size, read.filter((id) => !ids.includes(id))]).toEqual([3, []]);
}

test.for(PROGRAMS)(
  "the program $file connects, reads, refreshes twice, and reports the connection's revocation",
  async (program, { skip }) => {
    const start = await libraryProgram(program, stack.base_url);
    if (typeof start === "string") return skip(start);
    const run = start({ CLIENT_ID: world.client.clientId, CLIENT_SECRET: world.client.secret });
    const { link, isSite } = await begin(run);
    const callback = await browser.approve(link, world.shop);
    // The merchant's browser comes back, or the developer pastes where it was sent.
    if (isSite) await browser.open(callback);
    else run.type(callback);
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
  },
);

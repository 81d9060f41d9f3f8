import { beforeAll, describe, expect, test, vi } from "vitest";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import type { MerchantAccount, ShopRecord } from "../../harness/actors/onboarding.ts";
import { operator, runOperator, runOperatorProcess } from "../../harness/actors/operator.ts";
import { type Partner, partner, type Tokens } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const options = { env: { PARTNER_CONNECT_OPERATOR: "ida" } };
const WRONG = "https://lookout.example/calback";
const RIGHT = "https://lookout.example/callback";

/** The helps that were read so far. */
const helps = new Map<string, string>();

async function help(words: readonly string[]): Promise<string> {
  const known = helps.get(words.join(" "));
  if (known !== undefined) return known;
  const { stdout } = await runOperator(stack, [...words, "--help"]);
  helps.set(words.join(" "), stdout);
  return stdout;
}

/** Runs a command after its helps, from the first one on, have named each of its words and options. */
async function run(...words: readonly string[]) {
  const [noun = "", verb = ""] = words;
  expect(await help([])).toMatch(new RegExp(`^  ${noun} `, "m"));
  expect(await help([noun])).toMatch(new RegExp(`^  ${verb} `, "m"));
  for (const option of words.filter((word) => word.startsWith("--")))
    expect(await help([noun, verb])).toContain(option);
  return await runOperatorProcess(stack, words, options);
}

const json = async (...words: readonly string[]) => {
  const { exitCode, stdout, stderr } = await run(...words, "--json");
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout);
};

let merchant: MerchantAccount;
let shop: ShopRecord;
let browser: MerchantBrowser;
let app: Partner;
let tokens: Tokens;
let connection: string;
const name = `Lookout ${crypto.randomUUID()}`;

beforeAll(async () => {
  const email = `${crypto.randomUUID()}@merchant.example`;
  merchant = { email, password: `violet kettle ${crypto.randomUUID()}` };
  await operator(stack, ["merchant", "create", "--name", "Ada", "--email", email, "--password", merchant.password]);
  browser = merchantBrowser(merchant);
});

describe("an operator, with only the command line and its help", () => {
  test("takes a merchant's shop in, with its responses", async () => {
    shop = await json("shop", "create", "--name", `Hats ${crypto.randomUUID()}`, "--owner", merchant.email);
    const lines = ["Podcast", "TV"].map((response, at) => JSON.stringify({ id: `r${at}`, question: "Q", response }));
    const stdin = lines.join("\n");
    const imported = await runOperator(stack, ["response", "import", "--shop", shop.id, "-"], { ...options, stdin });
    expect(imported.stdout).toMatch(/^Imported 2 responses: 2 new/);
    expect(await json("shop", "show", shop.id)).toMatchObject({ members: [{ email: merchant.email }] });
  });

  test("onboards a partner, and reads what to send", async () => {
    const words = ["client", "create", "--name", name, "--redirect-uri", WRONG, "--scope", "responses:read"];
    const { stdout } = await run(...words);
    const found = (label: string) => new RegExp(`${label} +(\\S+)`).exec(stdout)?.[1] ?? "";
    expect(stdout).toContain(`${stack.base_url}/docs/first-connection`);
    app = partner(stack, { clientId: found("client_id"), secret: found("client_secret"), name });
    tokens = await app.connect(browser, shop, { redirectUri: WRONG });
    expect((await app.call("/api/responses", tokens.accessToken)).json().data).toHaveLength(2);
    connection = (await json("connection", "list", "--client", app.client.clientId))[0].id;
  });

  test("corrects a redirect URI, and no connection is lost", async () => {
    const words = [
      "client",
      "update",
      app.client.clientId,
      "--add-redirect-uri",
      RIGHT,
      "--remove-redirect-uri",
      WRONG,
    ];
    expect(await json(...words, "--yes")).toMatchObject({ redirect_uris: [RIGHT] });
    expect((await app.refresh(tokens.refreshToken)).status).toBe(200);
    expect(await json("connection", "show", connection)).toMatchObject({ status: "connected", redirect_uri: WRONG });
  });

  test("rotates the secret, and the partner is never locked out", async () => {
    const rotated = await json("client", "rotate-secret", app.client.clientId, "--overlap", "2h");
    expect(Date.parse(rotated.former_secret_expires_at)).toBeGreaterThan(Date.now());
    const renewed = partner(stack, { ...app.client, secret: rotated.client_secret });
    for (const each of [app, renewed]) expect((await each.refresh(tokens.refreshToken)).status).toBe(200);
    const again = await run("client", "rotate-secret", app.client.clientId);
    expect(again).toMatchObject({ exitCode: 1, stdout: "" });
    expect(again.stderr).toContain("--now");
    app = renewed;
  });

  test("finds out what the partner sees, and what happened", async () => {
    expect((await app.call("/api/responses?limit=zero", tokens.accessToken)).status).toBe(400);
    // Calls are stored every ten seconds.
    const usage = { calls: 2, records: 2, refused: 1, failed: 0 };
    await vi.waitFor(
      async () =>
        expect((await operator(stack, ["connection", "show", connection])).usage).toEqual({
          last_24_hours: usage,
          last_30_days: usage,
        }),
      { timeout: 30_000, interval: 1000 },
    );
    const records = await json("audit", "list", "--client", app.client.clientId, "--since", "1h");
    expect(records.map(({ action }: { action: string }) => action)).toEqual([
      "client_rotate_secret",
      "client_update",
      "exchange",
      "approve",
      "client_create",
    ]);
    const approval = records.find(({ action }: { action: string }) => action === "approve");
    expect(approval).toMatchObject({ actor: /^merchant:/.exec(approval.actor)?.input, shop_id: shop.id });
    expect([approval.ip, approval.request_id]).not.toContain(null);
  });

  test("holds the connection, and lets it go on", async () => {
    const { access_token: before } = (await app.refresh(tokens.refreshToken)).json();
    await json("connection", "disable", connection, "--yes");
    expect((await app.call("/api/responses", before)).status).toBe(403);
    await json("connection", "enable", connection);
    const { access_token: after } = (await app.refresh(tokens.refreshToken)).json();
    expect((await app.call("/api/responses", after)).status).toBe(200);
  });

  test("offboards the partner: connections end, and the client is refused", async () => {
    const { access_token: last } = (await app.refresh(tokens.refreshToken)).json();
    await json("connection", "revoke", connection, "--yes");
    await json("client", "disable", app.client.clientId, "--yes");
    expect((await app.call("/api/responses", last)).status).toBe(403);
    await expect.poll(async () => (await app.refresh(tokens.refreshToken)).status).toBe(401);
    expect(await json("connection", "list", "--client", app.client.clientId, "--status", "connected")).toEqual([]);
  });

  test("leaves a trace of every step, with the operator's name", async () => {
    const mine = await json("audit", "list", "--actor", "operator:ida", "--client", app.client.clientId);
    expect(mine.map(({ action }: { action: string }) => action)).toEqual([
      "client_disable",
      "revoke",
      "enable",
      "disable",
      "client_rotate_secret",
      "client_update",
      "client_create",
    ]);
    expect(JSON.stringify(mine)).not.toContain(app.client.secret);
  });
});

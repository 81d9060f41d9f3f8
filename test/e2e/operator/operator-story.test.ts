import { expect, test, vi } from "vitest";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { onboardMerchant } from "../../harness/actors/onboarding.ts";
import { operator, runOperator, runOperatorProcess } from "../../harness/actors/operator.ts";
import { partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const options = { env: { PARTNER_CONNECT_OPERATOR: "ida" } };
const WRONG = "https://lookout.example/calback";
const RIGHT = "https://lookout.example/callback";

const help = async (...words: readonly string[]) =>
  (await runOperator(stack, [...words, "--help"])).stdout;

/** Runs a command, after checking that the help texts name each of its words and options. */
async function run(command: string, ...others: readonly string[]) {
  const words = [...command.split(" "), ...others];
  const [noun = "", verb = ""] = words;
  expect(await help()).toMatch(new RegExp(`^  ${noun} `, "m"));
  expect(await help(noun)).toMatch(new RegExp(`^  ${verb} `, "m"));
  for (const option of words.filter((word) => word.startsWith("--")))
    expect(await help(noun, verb)).toContain(option);
  return await runOperatorProcess(stack, words, options);
}

const json = async (command: string, ...words: readonly string[]) => {
  const { exitCode, stdout, stderr } = await run(command, ...words, "--json");
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return JSON.parse(stdout);
};

const actionsOf = (records: readonly { action: string }[]) => records.map(({ action }) => action);

test("an operator onboards, supports, suspends and offboards a partner using only the command line, and each step is audited", async () => {
  const merchant = await onboardMerchant(stack);
  const named = ["--name", `Hats ${crypto.randomUUID()}`];
  const shop = await json("shop create --owner", merchant.email, ...named);
  const lines = ["Podcast", "TV"].map((response, at) =>
    JSON.stringify({ id: `r${at}`, question: "Q", response }),
  );
  const stdin = lines.join("\n");
  const imported = await runOperator(stack, ["response import", "--shop", shop.id, "-"], {
    ...options,
    stdin,
  });
  expect(imported.stdout).toMatch(/^Imported 2 responses: 2 new/);
  expect(await json("shop show", shop.id)).toMatchObject({
    members: [{ email: merchant.email }],
  });

  // A client is created; the command prints what to send to the partner.
  const name = `Lookout ${crypto.randomUUID()}`;
  const uri = ["--redirect-uri", WRONG];
  const { stdout } = await run("client create --scope responses:read --name", name, ...uri);
  const found = (label: string) => new RegExp(`${label} +(\\S+)`).exec(stdout)?.[1] ?? "";
  expect(stdout).toContain(`${stack.base_url}/docs/first-connection`);
  const clientId = found("client_id");
  let app = partner(stack, { clientId, secret: found("client_secret"), name });
  const tokens = await app.connect(merchantBrowser(merchant), shop, { redirectUri: WRONG });
  const read = async (token: string) => (await app.call("/api/responses", token)).status;
  const refresh = async () =>
    (await app.refresh(tokens.refreshToken)).json().access_token as string;
  expect((await app.call("/api/responses", tokens.accessToken)).json().data).toHaveLength(2);
  const [{ id: connection }] = await json("connection list", "--client", clientId);

  // A redirect URI is corrected, and no connection is lost.
  const uris = ["--add-redirect-uri", RIGHT, "--remove-redirect-uri", WRONG];
  expect(await json("client update --yes", clientId, ...uris)).toMatchObject({
    redirect_uris: [RIGHT],
  });
  expect((await app.refresh(tokens.refreshToken)).status).toBe(200);
  expect(await json("connection show", connection)).toMatchObject({
    status: "connected",
    redirect_uri: WRONG,
  });

  // The secret is rotated, and the partner is never locked out.
  const rotated = await json("client rotate-secret", clientId, "--overlap", "2h");
  expect(Date.parse(rotated.former_secret_expires_at)).toBeGreaterThan(Date.now());
  const renewed = partner(stack, { ...app.client, secret: rotated.client_secret });
  for (const each of [app, renewed])
    expect((await each.refresh(tokens.refreshToken)).status).toBe(200);
  const again = await run("client rotate-secret", clientId);
  expect(again).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("--now"),
  });
  app = renewed;

  // The operator finds out what happened. Calls are stored every ten seconds.
  expect((await app.call("/api/responses?limit=zero", tokens.accessToken)).status).toBe(400);
  const usage = { calls: 2, records: 2, refused: 1, failed: 0 };
  const shown = async () => (await operator(stack, ["connection show", connection])).usage;
  const stored = async () =>
    expect(await shown()).toEqual({ last_24_hours: usage, last_30_days: usage });
  await vi.waitFor(stored, { timeout: 30_000, interval: 1000 });
  const records = await json("audit list", "--client", clientId, "--since", "1h");
  expect(actionsOf(records)).toEqual(
    "client_rotate_secret client_update exchange approve client_create".split(" "),
  );
  const approval = { actor: expect.stringMatching(/^merchant:/), shop_id: shop.id };
  expect(records[3]).toMatchObject({
    ...approval,
    ip: expect.any(String),
    request_id: expect.any(String),
  });

  // The connection is held, and enabled again.
  const held = await refresh();
  await json("connection disable", connection, "--yes");
  expect(await read(held)).toBe(403);
  await json("connection enable", connection);
  expect(await read(await refresh())).toBe(200);

  // The partner is offboarded: connections end, and the client is refused.
  const last = await refresh();
  await json("connection revoke", connection, "--yes");
  await json("client disable", clientId, "--yes");
  expect(await read(last)).toBe(403);
  await expect.poll(async () => (await app.refresh(tokens.refreshToken)).status).toBe(401);
  expect(await json("connection list", "--client", clientId, "--status", "connected")).toEqual([]);

  const mine = await json("audit list", "--actor", "operator:ida", "--client", clientId);
  expect(actionsOf(mine)).toEqual([
    ...["client_disable", "revoke", "enable", "disable"],
    ...["client_rotate_secret", "client_update", "client_create"],
  ]);
  expect(JSON.stringify(mine)).not.toContain(app.client.secret);
});

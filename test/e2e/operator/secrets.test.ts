import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { send } from "../../harness/actors/http.ts";
import { merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import { type MerchantAccount, onboard, onboardApiKey } from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { callApi, partner } from "../../harness/actors/partner.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
/** All usable secrets, by name. */
const secrets = new Map<string, string>();

const { client, merchant, shop, advancedShop } = await onboard(stack);
const clientId = client.clientId;
const app = partner(stack, client);
const browser = merchantBrowser(merchant);
const keep = (name: string, value: string) => secrets.set(name, value);
keep("client secret", client.secret);
keep("password", merchant.password);
keep("API key", (await onboardApiKey(stack, shop)).key);

const unused = await app.obtainCode(browser, advancedShop);
keep("unused code", unused.code);
keep("verifier of the unused code", unused.codeVerifier);
const obtained = await app.obtainCode(browser, shop);
keep("code", obtained.code);
keep("code verifier", obtained.codeVerifier);
await app.exchange({ ...obtained, code: unused.code });
await app.exchange(obtained, { code_verifier: "a".repeat(43) });
const { access_token, refresh_token } = (await app.exchange(obtained)).json();
keep("access token", access_token);
keep("refresh token", refresh_token);
keep("random part of the refresh token", refresh_token.slice(0, 47));
keep("refreshed access token", (await app.refresh(refresh_token)).json().access_token);
for (const [index, value] of browser.cookies().entries()) keep(`cookie ${index}`, value);
keep("state", obtained.state);
const inFlight = app.attempt();
const consent = await browser.openConsent(inFlight.url);
keep("form token", consent.forms[0]?.inputs[0]?.value ?? "");
keep("state of an authorization in flight", inFlight.state);
keep(
  "request of an authorization in flight",
  new URL(consent.url).searchParams.get("request") ?? "",
);

// Errors are logged in more detail than successes.
await app.refresh(`${refresh_token}x`);
await app.token({ grant_type: "refresh_token", refresh_token }, { authorization: "Basic x" });
await app.token({ grant_type: "refresh_token", refresh_token, client_secret: client.secret });
await app.call("/api/responses?limit=0", access_token);
await callApi(`${stack.base_url}/api/responses`, secrets.get("API key") ?? "");
await callApi(`${stack.base_url}/api/responses`, `Bearer ${secrets.get("API key")}`);
const strayed = randomUUID();
keep("token in an unknown URL", strayed);
for (const path of [
  "/oauth/",
  "/oauth/interaction/x/",
  "/api/",
  "/.well-known/",
  "/",
  "/oauth/%zz/",
  "/api/responses/?x=",
]) {
  await send(`${stack.base_url}${path}${strayed}`);
}
const rotated = await operator(stack, ["client rotate-secret --overlap 1h", client.clientId]);
keep("rotated client secret", rotated.client_secret);
await merchantBrowser({ ...merchant, password: `${merchant.password}!` }).openConsent(
  app.attempt().url,
);
await passwordsBy(merchant, keep);

/** Every way to set a new password, including refusals. */
async function passwordsBy(merchant: MerchantAccount, keep: (name: string, value: string) => void) {
  const link = async () =>
    (await operator(stack, ["merchant", "reset-link", merchant.email])).url as string;
  const tokenOf = (url: string) => new URL(url).searchParams.get("link") ?? "";
  const browser = merchantBrowser(merchant);
  const [unused, used] = [await link(), await link()];
  keep("reset link that a newer one ended", tokenOf(unused));
  keep("reset link", tokenOf(used));
  await browser.open(unused);
  const page = await browser.open(used);
  for (const [name, length] of [
    ["refused password", 3],
    ["reset password", 7],
  ] as const) {
    const chosen = Array.from({ length }, () => randomUUID().slice(0, 4)).join(" ");
    keep(name, chosen);
    await browser.press(page, "Set password", {
      "New password": chosen,
      "Confirm new password": chosen,
    });
  }
  await browser.open(used);
  const given = randomUUID();
  keep("password that an operator sets", given);
  await operator(stack, ["merchant", "set-password", merchant.email, "--password", given]);
}

/** Names of the secrets that `text` contains, verbatim or in a usual encoding. */
function foundIn(text: string): string[] {
  return [...secrets]
    .filter(([, value]) => {
      const bytes = Buffer.from(value);
      const forms = [
        value,
        encodeURIComponent(value),
        bytes.toString("hex"),
        bytes.toString("base64").replace(/=+$/, ""),
      ];
      return forms.some((form) => text.includes(form));
    })
    .map(([name]) => name);
}

async function postgresDump(): Promise<string> {
  const sql = connectDatabase(stack.database_url, { name: "test", connections: 1 });
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('directory', 'oauth', 'public')`;
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ text: string }[]>(
      `SELECT to_jsonb(t)::text AS text FROM ${name} AS t`,
    );
    parts.push(...rows.map(({ text }) => text));
  }
  await sql.end();
  return parts.join("\n");
}

/** All keys, and all values as both Redis keep them. */
async function redisDump(): Promise<string> {
  const parts = [clientId];
  for (const url of [stack.redis_url, stack.resource_server_redis_url]) {
    const store = new Redis(url);
    for (const key of await store.keys("*")) {
      const type = await store.type(key);
      if (type === "hash") parts.push(key, JSON.stringify(await store.hgetall(key)));
      else if (type === "string") parts.push(key, (await store.get(key)) ?? "");
      else if (type === "zset") parts.push(key, ...(await store.zrange(key, "0", "-1")));
      else if (type === "list") parts.push(key, ...(await store.lrange(key, 0, -1)));
      // 'none': expired since the scan
      else if (type !== "none") throw new Error(`a ${type}, which this test can't read`);
    }
    store.disconnect();
  }
  return parts.join("\n").replaceAll("\\", "");
}

async function logs(): Promise<string> {
  const folder = join(stack.dataDir, "logs");
  const files = await readdir(folder);
  return (await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))).join("\n");
}

test("none of the secrets used in a run is in the logs or in a dump of Postgres or Redis", async () => {
  expect(await redisDump()).toContain("oauth:AuthorizationCode:"); // of the unused code
  for (const read of [logs, postgresDump, redisDump]) {
    const text = await read();
    expect(text).toContain(clientId);
    expect(foundIn(text)).toEqual([]);
  }
});

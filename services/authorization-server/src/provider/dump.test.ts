import { createHash } from "node:crypto";
import { keysOf, onEachMaster } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { offered, suiteFixture } from "../testing/merchant-fixture.ts";
import { exchangeCode } from "../testing/token-calls.ts";

const fixture = await suiteFixture({ replicas: 2, ownRedis: true });

/** All keys, and all values as Redis keeps them. */
async function dump(): Promise<string> {
  const parts: string[] = [];
  await onEachMaster(fixture.replicas.config.env.REDIS_URL, async (store) => {
    for (const key of await store.keys("*")) {
      const type = await store.type(key);
      if (type === "hash") parts.push(key, JSON.stringify(await store.hgetall(key)));
      else if (type === "string") parts.push(key, (await store.get(key)) ?? "");
      else if (type === "zset") parts.push(key, ...(await store.zrange(key, "0", "-1")));
      else if (type === "list") parts.push(key, ...(await store.lrange(key, 0, -1)));
      else throw new Error(`a ${type}, which this test can't read`);
    }
  });
  return parts.join("\n").replaceAll("\\", "");
}

function foundIn(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, value]) => {
    const bytes = Buffer.from(value);
    const forms = [
      value,
      encodeURIComponent(value),
      bytes.toString("hex"),
      bytes.toString("base64url"),
    ];
    return value !== "" && forms.some((form) => text.includes(form)) ? [name] : [];
  });
}

test("no dump of Redis contains a usable secret at any stage of an authorization, or anything of it before the sign-in", async () => {
  const state = "the partner's state, as random as it should be";
  const codeVerifier = "v".repeat(43);
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const merchant = await fixture.registerMerchant();
  await fixture.registerShop("Fern & Field", "standard", merchant);
  const browser = fixture.browser();
  const secrets: Record<string, string> = { state, codeChallenge, codeVerifier };
  const found: Record<string, string[]> = {};
  const look = async (stage: string) => {
    for (const [name, value] of browser.cookies) secrets[name] = value;
    found[stage] = foundIn(await dump(), secrets);
  };

  const path = await fixture.begin(browser, { state, codeChallenge });
  const request = new URL(path, "https://connect.example").searchParams.get("request") ?? "";
  expect(request).toMatch(/^[\w-]+\.[\w-]{200,}$/);
  secrets["request"] = request.split(".")[1] ?? "";
  await look("begun");
  const signIn = await browser.open(path);
  secrets["form token"] = signIn.forms[0]?.fields["token"] ?? "";
  await look("sign-in page");
  // But for the count of the address's requests.
  const keys = await keysOf(fixture.replicas.redis, "*");
  expect(keys.filter((key) => !key.startsWith("rate-limit:"))).toEqual([]);

  await fixture.signIn(browser, signIn, merchant);
  await look("signed in");
  const page = await browser.open(path);
  await look("consent page");
  const answer = await browser.press(page, "Approve", { shop: offered(page, "Fern & Field") });
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? "";
  Object.assign(secrets, { code, redirect: answer.location });
  await look("approved");
  const [app = expect.fail("no replica")] = fixture.replicas.apps;
  const { body } = await exchangeCode(app, fixture.client, { code, codeVerifier, grantId: "" });
  Object.assign(secrets, {
    "access token": body.access_token,
    "refresh token": body.refresh_token,
  });
  await look("exchanged");
  const declined = await fixture.consent(browser, merchant, { state });
  await browser.press(declined.page, "Decline");
  await look("declined");

  const stages = [
    "begun",
    "sign-in page",
    "signed in",
    "consent page",
    "approved",
    "exchanged",
    "declined",
  ];
  expect(found).toEqual(Object.fromEntries(stages.map((stage) => [stage, []])));
  expect(await dump()).toContain("oauth:AuthorizationCode:");
});

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Answer, send } from "../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../harness/actors/merchant-browser.ts";
import { type Onboarded, onboard, onboardShop } from "../harness/actors/onboarding.ts";
import { type Partner, partner, type Tokens } from "../harness/actors/partner.ts";
import { generateResponses, importRecords, type SurveyRecord } from "../harness/actors/survey.ts";
import { type BreakableRedis, breakableRedis } from "../harness/faults/breakable-redis.ts";
import { until } from "../harness/stack/processes.ts";
import { type OwnStack, startOwnStack } from "../harness/stack/stacks.ts";

const PASSWORD = "of-the-services";

let redis: BreakableRedis;
let stack: OwnStack;
let onboarded: Onboarded;
let app: Partner;
let browser: MerchantBrowser;
let tokens: Tokens;
let records: readonly SurveyRecord[];

beforeAll(async () => {
  redis = await breakableRedis();
  await allowAll();
  stack = await startOwnStack({ env: { REDIS_URL: redis.url.replace(/\/\/([^@/]*@)?/, `//services:${PASSWORD}@`) } });
  onboarded = await onboard(stack.now);
  app = partner(stack.now, onboarded.client);
  browser = merchantBrowser(onboarded.merchant);
  records = generateResponses(20, "redis-errors");
  await importRecords(stack.now, "response", onboarded.advancedShop, records);
  tokens = await app.connect(browser, onboarded.advancedShop, { scope: "responses:read sources:write" });
});
afterAll(async () => {
  await stack?.stop();
  await redis?.remove();
});
afterEach(async () => {
  await allowAll();
  await until(async () => {
    const answers = await Promise.all([0, 1, 2, 3].map(() => app.refresh(tokens.refreshToken)));
    return answers.every(({ status }) => status === 200);
  });
});

/** The services connect as a user of their own. */
const allowAll = () => redis.command("ACL", "SETUSER", "services", "on", `>${PASSWORD}`, "~*", "&*", "+@all");
/** `NOPERM` for these commands. */
const forbid = (...commands: string[]) =>
  redis.command("ACL", "SETUSER", "services", ...commands.map((command) => `-${command}`));

const FAULTS: readonly [string, () => Promise<unknown>][] = [
  ["it may run no script", () => forbid("eval", "evalsha")],
  ["it may not read", () => forbid("get", "getex", "hgetall")],
  ["it may not write", () => forbid("set", "hset", "expire", "del", "incr")],
  ["it may have no transaction", () => forbid("multi", "exec")],
  ["it may do nothing", () => forbid("@all")],
];

test.each(FAULTS)(
  "while %s by its ACL, every endpoint does its work or says 503, and blames nobody",
  async (_, fail) => {
    const shop = await onboardShop(stack.now, onboarded.merchant);
    const obtained = await app.obtainCode(browser, shop);
    const consent = await browser.openConsent(app.attempt().url);
    const stranger = merchantBrowser(onboarded.merchant);
    const signIn = await stranger.open(`${stack.now.base_url}/oauth/sign-in`);
    const { email, password } = onboarded.merchant;
    const list = (query: string) => app.call(`/api/responses?${query}`, tokens.accessToken);
    const answered = (opened: Promise<{ readonly answer: Answer | null }>): Promise<Answer | null> =>
      opened.then(({ answer }) => answer);
    const asked: Readonly<Record<string, () => Promise<Answer | null>>> = {
      refresh: () => app.refresh(tokens.refreshToken),
      exchange: () => app.exchange(obtained),
      authorize: () => send(app.attempt().url, { headers: { accept: "text/html" } }),
      "consent page": () => answered(browser.open(consent.url)),
      approval: () => answered(browser.press(consent, "Approve", { [shop.name]: true })),
      "sign-in": () => answered(stranger.press(signIn, "Sign in", { Email: email, Password: password })),
      "connected apps": () => answered(browser.open(`${stack.now.base_url}/oauth/connections`)),
      "a page": () => list("limit=5"),
      "a page of a walk": () => list(`sort=updated_at_asc&limit=5&starting_after=${records[3]?.id}`),
      questions: () => app.call("/api/questions", tokens.accessToken),
      "a new source": () => app.call("/api/sources", tokens.accessToken, { name: "Hats", type: "tv" }),
    };
    await fail();
    const wrong: unknown[] = [];
    for (const [name, ask] of Object.entries(asked)) {
      const answer = await ask();
      // Null: led back to the partner, which is an approval's end.
      if (answer === null || [200, 201, 302, 303].includes(answer.status)) continue;
      if (answer.status === 503 && /^[1-9]\d*$/.test(answer.headers["retry-after"] ?? "")) continue;
      wrong.push([name, answer.status, answer.text.slice(0, 200)]);
    }
    expect(wrong).toEqual([]);
    for (const path of ["/oauth/api/jwks", "/.well-known/oauth-authorization-server", "/api/openapi.json"]) {
      expect([path, (await send(`${stack.now.base_url}${path}`)).status]).toEqual([path, 200]);
    }
  },
);

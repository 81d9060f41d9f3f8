import type { Plan, Scope } from "@partner-connect/contract";
import { createResetLink, hashPassword, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { onboardMerchant, onboardShop, TEST_OPERATOR } from "@partner-connect/directory/testing";
import { freshRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, onTestFinished } from "vitest";
import { type MerchantBrowser, merchantBrowser, type Page } from "./merchant-browser.ts";
import { authorizationUrl, startReplicas } from "./replicas.ts";

export const PASSWORD = "a long enough password";

export interface TestMerchant {
  readonly id: string;
  readonly email: string;
}

/** An authorization request; every field has a default. */
export interface Asking {
  readonly clientId?: string;
  readonly scope?: readonly Scope[];
  readonly state?: string;
  readonly codeChallenge?: string;
  readonly redirectUri?: string;
}

export type MerchantFixture = Awaited<ReturnType<typeof merchantFixture>>;

export interface MerchantFixtureOptions {
  readonly redisUrl?: string | undefined;
  /** Default: 1. Each browser calls the replicas in turn. */
  readonly replicas?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds without a response after which a store counts as down. Default: 2000. */
  readonly deadline?: number;
}

/** A real authorization server on real stores, with helpers for tests of the merchant pages. */
export async function merchantFixture(options: MerchantFixtureOptions = {}) {
  const replicas = await startReplicas(
    options.replicas ?? 1,
    options.env,
    options.redisUrl,
    options.deadline,
  );
  const client = await replicas.registerClient();
  const passwordHash = await hashPassword(PASSWORD);

  /** Opens the partner's link, and returns the path to which it redirects. */
  async function begin(browser: MerchantBrowser, asking: Asking = {}): Promise<string> {
    const { clientId = client.clientId, scope = ["responses:read", "sources:write"] } = asking;
    const change = {
      scope: scope.join(" "),
      ...(asking.state !== undefined && { state: asking.state }),
      ...(asking.codeChallenge && { code_challenge: asking.codeChallenge }),
      ...(asking.redirectUri && { redirect_uri: asking.redirectUri }),
    };
    const answer = await browser.open(authorizationUrl(clientId, change));
    if (!answer.location) throw new Error(`no redirect: ${answer.status}`);
    return answer.location;
  }
  const signIn = (
    browser: MerchantBrowser,
    page: Page,
    { email }: TestMerchant,
    password = PASSWORD,
  ): Promise<Page> => browser.press(page, "Sign in", { email, password });

  return {
    replicas,
    client,
    /** A new browser, on a new network by default. */
    browser: (address = randomAddress()) => merchantBrowser(replicas.apps, address),
    registerMerchant: (): Promise<TestMerchant> => onboardMerchant(replicas.sql, passwordHash),
    registerShop: (name: string, plan: Plan, ...merchants: readonly TestMerchant[]) =>
      onboardShop(replicas.sql, { name, plan, merchants: merchants.map(({ id }) => id) }),
    begin,
    signIn,
    /** A new browser in which the merchant has just signed in. */
    async signedIn(merchant: TestMerchant, password?: string): Promise<MerchantBrowser> {
      const browser = merchantBrowser(replicas.apps, randomAddress());
      await signIn(browser, await browser.open("/oauth/sign-in"), merchant, password);
      return browser;
    },
    isSignedIn: async (browser: MerchantBrowser) =>
      (await browser.open("/oauth/connections")).status === 200,
    /** The path of a new link to reset the merchant's password. */
    async resetLink({ email }: TestMerchant) {
      const { token } = await createResetLink(replicas.sql, email, TEST_OPERATOR);
      return `${RESET_PASSWORD_PATH}?link=${token}`;
    },
    /** Goes from the partner's link to the consent page, signing in if needed. */
    async consent(browser: MerchantBrowser, merchant: TestMerchant, options?: Asking) {
      const path = await begin(browser, options);
      const first = await browser.open(path);
      if (!first.html.includes('type="password"')) return { path, page: first };
      await signIn(browser, first, merchant);
      return { path, page: await browser.open(path) };
    },
    async connectionOf(shopId: string, clientId = client.clientId) {
      const [row] = await replicas.sql`
        SELECT id, status, scope, grant_id, merchant_id, redirect_uri FROM oauth.connections
        WHERE shop_id = ${shopId} AND client_id = ${clientId}`;
      return row;
    },
  };
}

/** A fixture for the tests of a file. `ownRedis`: it has a Redis that no other suite uses. */
export async function suiteFixture({
  ownRedis = false,
  ...options
}: MerchantFixtureOptions & { readonly ownRedis?: boolean } = {}): Promise<MerchantFixture> {
  const redis = ownRedis ? await freshRedis(process.env["TEST_REDIS_URL"]) : undefined;
  const fixture = await merchantFixture({ redisUrl: redis?.url, ...options });
  afterAll(async () => {
    await fixture.replicas.stop();
    await redis?.drop();
  });
  return fixture;
}

/** Starts another fixture for the current test; it stops when that test is over. */
export async function testFixture(options?: MerchantFixtureOptions): Promise<MerchantFixture> {
  const fixture = await merchantFixture(options);
  onTestFinished(() => fixture.replicas.stop());
  return fixture;
}

function randomAddress(): string {
  const byte = () => Math.floor(Math.random() * 254) + 1;
  return `10.${byte()}.${byte()}.${byte()}`;
}

/** The value that the radio button of this shop sends. */
export function offered(page: Page, shop: string): string {
  const radio = page.forms
    .flatMap((form) => form.radios)
    .find((candidate) => candidate.label === shop);
  if (!radio) throw new Error(`no shop '${shop}' on the page:\n${page.html}`);
  return radio.value;
}

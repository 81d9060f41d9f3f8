import { createHash, randomBytes } from "node:crypto";
import type { StackUnderTest } from "../stack/stacks.ts";
import { type Answer, send, sendForm } from "./http.ts";
import type { MerchantBrowser } from "./merchant-browser.ts";
import { type PartnerClient, REDIRECT_URI, type ShopRecord } from "./onboarding.ts";

/** One authorization attempt, as the partner remembers it. */
export interface Attempt {
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface AttemptOptions {
  readonly scope?: string;
  readonly redirectUri?: string;
  /** Replaces parameters of the request; null leaves one out. */
  readonly overrides?: Readonly<Record<string, string | null>>;
}

/** The tokens of a connection, and their scope. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scope: string;
}

export type Partner = ReturnType<typeof partner>;

type Code = Attempt & { readonly code: string };
type Fields = Readonly<Record<string, string>>;

/** A partner's backend without a library, so that tests can change any part of the protocol. */
export function partner(stack: StackUnderTest, client: PartnerClient) {
  const { base_url: base } = stack;

  function attempt({
    scope = "responses:read",
    redirectUri = REDIRECT_URI,
    overrides = {},
  }: AttemptOptions = {}) {
    const state = randomBytes(16).toString("base64url");
    const codeVerifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      response_type: "code",
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    for (const [name, value] of Object.entries(overrides)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return { url: `${base}/oauth/api/authorize?${query}`, state, codeVerifier, redirectUri };
  }

  /** Sends a token request with these fields. Default: with the client's own credentials. */
  const token = (fields: Fields, headers: Fields = { authorization: basic(client) }) =>
    sendForm(`${base}/oauth/api/token`, fields, headers);

  /** Runs the flow up to the code. */
  const obtainCode = async (
    browser: MerchantBrowser,
    shop: ShopRecord,
    options?: AttemptOptions,
  ): Promise<Code> => {
    const made = attempt(options);
    const arrived = new URL(await browser.approve(made.url, shop));
    const code = arrived.searchParams.get("code");
    if (code === null || arrived.searchParams.get("state") !== made.state)
      throw new Error(`no code: ${arrived}`);
    return { ...made, code };
  };

  const exchange = ({ code, redirectUri, codeVerifier }: Code, overrides: Fields = {}) =>
    token({
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
      ...overrides,
    });

  return {
    client,
    attempt,
    obtainCode,
    exchange,
    refresh: (refreshToken: string) =>
      token({ grant_type: "refresh_token", refresh_token: refreshToken }),
    token,
    async connect(
      browser: MerchantBrowser,
      shop: ShopRecord,
      options?: AttemptOptions,
    ): Promise<Tokens> {
      const answer = await exchange(await obtainCode(browser, shop, options));
      if (answer.status !== 200) throw new Error(`not connected: ${answer.status} ${answer.text}`);
      const { access_token: accessToken, refresh_token: refreshToken, scope } = answer.json();
      return { accessToken, refreshToken, scope };
    },
    /** An API call with an access token; with a `body`, it is posted as JSON. */
    call: (path: string, accessToken: string, body?: unknown) =>
      callApi(`${base}${path}`, `Bearer ${accessToken}`, body),
  };
}

/** An API call with this Authorization header; with a `body`, it is posted as JSON. */
export function callApi(url: string, authorization: string, body?: unknown): Promise<Answer> {
  if (body === undefined) return send(url, { headers: { authorization } });
  const headers = { authorization, "content-type": "application/json" };
  return send(url, { method: "POST", headers, body: JSON.stringify(body) });
}

export function basic({ clientId, secret }: PartnerClient): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`;
}

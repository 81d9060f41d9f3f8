import { checkedScope } from "./checks.ts";
import {
  AuthorizationDenied,
  InvalidRequest,
  IssuerMismatch,
  MissingVerifier,
  StateMismatch,
} from "./errors.ts";
import { digest, randomText } from "./network.ts";
import type { CheckedCallback } from "./token-client.ts";

export interface AuthorizationOptions {
  /**
   * One of your registered redirect URIs, byte for byte; a registered loopback one may have any
   * port.
   */
  readonly redirectUri: string;
  /** At least one of the scopes enabled for you, such as `responses:read`. */
  readonly scope: readonly string[];
}

/**
 * An authorization in progress. Plain JSON: store it in the user's session until the browser
 * returns.
 */
export interface PendingAuthorization {
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

export interface BegunAuthorization {
  /** Redirect the merchant's browser to it. */
  readonly url: string;
  readonly pending: PendingAuthorization;
}

/** Makes the authorize link with a new `state` and PKCE pair. @throws {InvalidRequest} */
export async function authorizeLink(
  server: { readonly baseUrl: string; readonly clientId: string; readonly now: number },
  { redirectUri, scope }: AuthorizationOptions,
): Promise<BegunAuthorization> {
  const [state, codeVerifier] = [randomText(), randomText()];
  const query = new URLSearchParams({
    response_type: "code",
    client_id: server.clientId,
    redirect_uri: redirectUri,
    scope: checkedScope(scope),
    state,
    code_challenge: await digest(codeVerifier),
    code_challenge_method: "S256",
  });
  const startedAt = new Date(server.now).toISOString();
  return {
    url: `${server.baseUrl}/oauth/api/authorize?${query}`,
    pending: { state, codeVerifier, redirectUri, startedAt },
  };
}

/**
 * Checks `pending`, then the callback, `state` first. @throws {MissingVerifier | StateMismatch |
 * IssuerMismatch | AuthorizationDenied | InvalidRequest}
 */
export function checkCallback(
  callbackUrl: string | URL,
  pending: PendingAuthorization | null | undefined,
  issuer: string,
): CheckedCallback {
  if (!pending || !/^[A-Za-z0-9._~-]{43,128}$/.test(String(pending.codeVerifier))) {
    throw new MissingVerifier("no authorization is pending for this callback: begin a new one");
  }
  const { state, codeVerifier, redirectUri } = pending;
  // A request in a server has a URL of only the path and the query.
  const { searchParams } = new URL(callbackUrl, redirectUri);
  const only = (name: string): string | null => {
    const [value = null, another] = searchParams.getAll(name);
    return another === undefined ? value : null;
  };
  if (!state || only("state") !== state) {
    throw new StateMismatch("the callback's state is not the one of the pending authorization");
  }
  if (only("iss") !== issuer) throw new IssuerMismatch(`the callback's iss is not ${issuer}`);
  const error = only("error");
  if (error === "access_denied")
    throw new AuthorizationDenied("the merchant declined, or has no shop to connect");
  if (error !== null) {
    throw new InvalidRequest(
      `the authorization was refused: ${only("error_description") ?? error}`,
      null,
    );
  }
  const code = only("code");
  if (!code) throw new InvalidRequest("the callback has no code", "code");
  return { state, code, codeVerifier, redirectUri };
}

import { checkedScope } from "../misuse.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { digest, randomText } from "./pkce.ts";

export interface AuthorizationOptions {
  /** One of your registered redirect URIs, byte for byte; a registered loopback one may come with any port. */
  readonly redirectUri: string;
  /** What you ask for, of those that were enabled for you: `responses:read`, `sources:write`. At least one. */
  readonly scope: readonly string[];
}

export interface BegunAuthorization {
  /** Send the merchant's browser there. */
  readonly url: string;
  readonly pending: PendingAuthorization;
}

/** The authorize link with a fresh `state` and a fresh PKCE pair. */
export async function beginAuthorization(
  server: { readonly baseUrl: string; readonly clientId: string; readonly now: number },
  { redirectUri, scope }: AuthorizationOptions,
): Promise<BegunAuthorization> {
  const pending = {
    state: randomText(),
    codeVerifier: randomText(),
    redirectUri,
    startedAt: new Date(server.now).toISOString(),
  };
  const query = new URLSearchParams({
    response_type: "code",
    client_id: server.clientId,
    redirect_uri: redirectUri,
    scope: checkedScope(scope),
    state: pending.state,
    code_challenge: await digest(pending.codeVerifier),
    code_challenge_method: "S256",
  });
  return { url: `${server.baseUrl}/oauth/api/authorize?${query}`, pending };
}

import {
  AuthorizationDenied,
  InvalidRequest,
  IssuerMismatch,
  MissingVerifier,
  StateMismatch,
} from "../errors/index.ts";
import type { PendingAuthorization } from "./pending-authorization.ts";
import { isCodeVerifier } from "./pkce.ts";

export interface CheckedCallback {
  readonly state: string;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Reads the callback, `state` first. @throws {MissingVerifier | StateMismatch | IssuerMismatch | AuthorizationDenied | InvalidRequest} */
export function checkCallback(
  callbackUrl: string | URL,
  pending: PendingAuthorization | null | undefined,
  issuer: string,
): CheckedCallback {
  if (pending === null || pending === undefined || !isCodeVerifier(pending.codeVerifier)) {
    throw new MissingVerifier("no authorization is pending for this callback: begin a new one");
  }
  // A path is enough: it is what a server's request has.
  const { searchParams } = new URL(callbackUrl, pending.redirectUri);
  const only = (name: string): string | null => {
    const values = searchParams.getAll(name);
    return values.length === 1 ? (values[0] ?? null) : null;
  };
  if (!pending.state || only("state") !== pending.state) {
    throw new StateMismatch("the callback's state is not the one of the pending authorization");
  }
  if (only("iss") !== issuer) throw new IssuerMismatch(`the callback's iss is not ${issuer}`);
  const error = only("error");
  if (error === "access_denied") throw new AuthorizationDenied("the merchant declined, or has no shop to connect");
  if (error !== null) {
    throw new InvalidRequest(`the authorization was refused: ${only("error_description") ?? error}`, null);
  }
  const code = only("code");
  if (code === null || code === "") throw new InvalidRequest("the callback has no code", "code");
  return { state: pending.state, code, codeVerifier: pending.codeVerifier, redirectUri: pending.redirectUri };
}

import type { Scope } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";
import { RedirectableError } from "./authorization-error.ts";
import {
  codeChallengeMethodIsS256,
  type FindClient,
  mayUseCodeFlow,
  presentedCodeChallenge,
  presentedState,
  type Refuse,
  registeredClient,
  registeredUri,
  requestedScope,
  responseTypeIsCode,
} from "./rules.ts";

/** A valid authorization request (spec, GET authorize). */
export interface AuthorizationRequest {
  readonly client: Client;
  /** As presented: the registered bytes, but for a loopback URI's port. */
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: readonly Scope[];
  readonly codeChallenge: string;
}

/**
 * The rules in their order of precedence. The first three decide whether the browser can be redirected: their refusals
 * are the error page. All later ones go back to the client. Parameters other than these seven change nothing.
 *
 * @throws {UnredirectableError} client_id, redirect_uri, state
 * @throws {RedirectableError} everything else
 */
export async function validateAuthorizationRequest(
  query: URLSearchParams,
  findClient: FindClient,
): Promise<AuthorizationRequest> {
  const client = await registeredClient(query, findClient);
  const redirectUri = registeredUri(query, client);
  const state = presentedState(query);

  const refuse: Refuse = (reason, problem) => new RedirectableError(redirectUri, state, reason, problem);
  responseTypeIsCode(query, refuse);
  const scope = requestedScope(query, client, refuse);
  const codeChallenge = presentedCodeChallenge(query, refuse);
  codeChallengeMethodIsS256(query, refuse);
  mayUseCodeFlow(client, refuse);

  return { client, redirectUri, state, scope, codeChallenge };
}

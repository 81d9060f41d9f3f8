import type { AuthorizationRequest } from "../authorization-request.ts";
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

  return { clientId: client.clientId, redirectUri, state, scope, codeChallenge };
}

import { parseScope, type Scope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";
import { type AuthorizeParameter, CODE_CHALLENGE_METHOD, RESPONSE_TYPE } from "@partner-connect/public-api";
import { RedirectableError } from "./authorization-error.ts";
import { isCodeChallenge } from "./code-challenge.ts";
import { onlyValue } from "./only-value.ts";
import { presentedRedirectUri } from "./presented-redirect-uri.ts";
import { registeredClient } from "./registered-client.ts";
import { mayRequest } from "./requested-scope.ts";
import { presentedState } from "./state.ts";

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
  findClient: (clientId: string) => Promise<Client | null>,
): Promise<AuthorizationRequest> {
  const client = await registeredClient(query, findClient);
  const redirectUri = presentedRedirectUri(query, client);
  const state = presentedState(query);

  const wrong = (name: AuthorizeParameter) => (description: string) =>
    new RedirectableError(redirectUri, state, `invalid_${name}`, description);
  const required = (name: AuthorizeParameter) => onlyValue(query, name, wrong(name));

  if (required("response_type") !== RESPONSE_TYPE) {
    throw wrong("response_type")(`response_type must be ${RESPONSE_TYPE}`);
  }
  const scope = parseScope(required("scope"));
  if (!scope) throw wrong("scope")("scope must be a list of scopes, one space between two");
  if (!mayRequest(client, scope)) throw wrong("scope")("scope has a value that this client may not request");
  const codeChallenge = required("code_challenge");
  if (!isCodeChallenge(codeChallenge)) {
    throw wrong("code_challenge")("code_challenge must be the base64url SHA-256 of the code_verifier");
  }
  if (required("code_challenge_method") !== CODE_CHALLENGE_METHOD) {
    throw wrong("code_challenge_method")(`code_challenge_method must be ${CODE_CHALLENGE_METHOD}`);
  }
  if (!client.grantTypes.includes("authorization_code")) {
    const description = "this client may not use the authorization code flow";
    throw new RedirectableError(redirectUri, state, "grant_type_not_allowed", description);
  }

  return { client, redirectUri, state, scope, codeChallenge };
}

import { parseScope, type Scope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";
import { explainMismatch, isRegistered } from "../clients/registered-redirect-uri.ts";
import { RedirectableError, UnredirectableError } from "./authorization-error.ts";
import { isCodeChallenge } from "./code-challenge.ts";
import { mayRequest } from "./requested-scope.ts";

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
 * The rules in their order of precedence. The first three decide whether there is anybody to redirect to: they give
 * the error page. Everything after them is told to the client. Parameters beyond the seven mean nothing here.
 *
 * @throws {UnredirectableError} client, redirect_uri, state
 * @throws {RedirectableError} everything else
 */
export async function validateAuthorizationRequest(
  query: URLSearchParams,
  findClient: (clientId: string) => Promise<Client | null>,
): Promise<AuthorizationRequest> {
  const client = await registeredClient(query, findClient);
  const redirectUri = registeredRedirectUri(query, client);
  const state = presentState(query);

  const refuse = (description: string): never => {
    throw new RedirectableError(redirectUri, state, description);
  };
  const required = (name: string): string => {
    const values = query.getAll(name);
    if (values.length > 1) refuse(`${name} is given more than once`);
    return values[0] || refuse(`${name} is missing`);
  };

  if (required("response_type") !== "code") refuse("response_type must be code");
  const scope = parseScope(required("scope")) ?? refuse("scope must be a list of scopes, one space between two");
  for (const value of scope)
    if (!mayRequest(client, value)) refuse("scope has a value that this client may not request");
  const codeChallenge = required("code_challenge");
  if (!isCodeChallenge(codeChallenge)) refuse("code_challenge must be the base64url SHA-256 of the code_verifier");
  if (required("code_challenge_method") !== "S256") refuse("code_challenge_method must be S256");
  if (!client.grantTypes.includes("authorization_code")) refuse("this client may not use the authorization code flow");

  return { client, redirectUri, state, scope: scope as Scope[], codeChallenge };
}

async function registeredClient(
  query: URLSearchParams,
  findClient: (clientId: string) => Promise<Client | null>,
): Promise<Client> {
  const values = query.getAll("client_id");
  if (values.length > 1) throw new UnredirectableError("client", "client_id is given more than once");
  if (!values[0]) throw new UnredirectableError("client", "client_id is missing");
  const client = await findClient(values[0]);
  if (!client) throw new UnredirectableError("client", "client_id is not registered");
  if (client.status !== "active") throw new UnredirectableError("client_disabled", "the client is disabled");
  return client;
}

function registeredRedirectUri(query: URLSearchParams, client: Client): string {
  const values = query.getAll("redirect_uri");
  const refuse = (detail: string) => new UnredirectableError("redirect_uri", detail);
  if (values.length > 1) throw refuse("redirect_uri is given more than once");
  const presented = values[0];
  if (!presented) throw refuse("redirect_uri is missing");
  if (!isRegistered(presented, client.redirectUris)) {
    throw refuse(`redirect_uri is not registered: ${explainMismatch(presented, client.redirectUris)}`);
  }
  return presented;
}

/** Bytes of UTF-8. It travels in URLs, beside a redirect URI, and through headers of limited size. */
const MAX_STATE_BYTES = 2048;

function presentState(query: URLSearchParams): string {
  const values = query.getAll("state");
  if (values.length > 1) throw new UnredirectableError("state", "state is given more than once");
  if (!values[0]) throw new UnredirectableError("state", values.length === 0 ? "state is missing" : "state is empty");
  if (Buffer.byteLength(values[0]) > MAX_STATE_BYTES) {
    throw new UnredirectableError("state", `state is longer than ${MAX_STATE_BYTES} bytes`);
  }
  return values[0];
}

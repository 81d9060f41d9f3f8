import { isScope, parseScope, type Scope } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";
import type { RequestFacts } from "@partner-connect/service-runtime";
import { HttpError } from "../errors.ts";
import {
  AUTHORIZATION_ERRORS,
  type AuthorizeHint,
  type AuthorizeParameter,
  CODE_CHALLENGE_METHOD,
  CODE_CHALLENGE_PATTERN,
  LOGIN_HINT_PATTERN,
  MAX_STATE_BYTES,
  RESPONSE_TYPE,
  UI_LOCALES_PATTERN,
} from "../protocol.ts";
import { isRegisteredRedirectUri, withoutSecrets } from "../redirect-uri.ts";

/** A valid authorization request (spec, GET authorize); consent/ asks the merchant. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** As presented. It equals the registered URI byte for byte, except for a loopback URI's port. */
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: readonly Scope[];
  readonly codeChallenge: string;
  readonly hints: AuthorizationHints;
}

/** Optional parameters that make signing in easier. Invalid values are ignored. */
export interface AuthorizationHints {
  /** Fills in the email of the sign-in form. */
  readonly loginHint?: string;
  /** BCP 47 tags, separated by spaces. They apply unless the reader has chosen a language. */
  readonly uiLocales?: string;
}

/**
 * Applies the rules in their order of precedence. Refusals by the first three can't be redirected,
 * and show the error page; all later ones redirect to the client. Parameters other than these seven
 * and the two hints are ignored. @throws {UnredirectableError} client_id, redirect_uri, state
 * @throws {RedirectableError} everything else
 */
export async function validateAuthorizationRequest(
  query: URLSearchParams,
  findClient: (clientId: string) => Promise<Client | null>,
): Promise<AuthorizationRequest> {
  const client = requireActive(await findClient(onlyValue(query, "client_id", refuseClient)));
  const redirectUri = registeredUri(query, client);
  const state = presentedState(query, client);

  const refuse: Refuse = (reason, detail) =>
    new RedirectableError(redirectUri, state, reason, detail);
  requireValue(query, "response_type", RESPONSE_TYPE, refuse);
  const scope = requestedScope(query, client, refuse);
  const codeChallenge = presentedCodeChallenge(query, refuse);
  requireValue(query, "code_challenge_method", CODE_CHALLENGE_METHOD, refuse);
  requireCodeFlow(client, refuse);

  return {
    clientId: client.clientId,
    redirectUri,
    state,
    scope,
    codeChallenge,
    hints: presentedHints(query),
  };
}

/**
 * The merchant sees the error page: there is no safe redirect target (spec, GET authorize), or in
 * consent/ the client may no longer have a code.
 */
export class UnredirectableError extends HttpError {
  constructor(reason: Refusal, detail: string, client: HttpError["client"] = null, sent?: string) {
    const isOfLink = /^invalid_(client|redirect_uri|state)$/.test(reason);
    const page = isOfLink ? "invalid_link" : "client_disabled";
    const facts = { reason, detail, sent, outcome: "refused" } as const;
    super(400, "bad_request", page, facts, { detail, client });
  }
}

/** A refusal that redirects to the client (spec, GET authorize). */
export class RedirectableError extends Error {
  readonly redirectUri: string;
  readonly state: string;
  readonly facts: RequestFacts;

  constructor(redirectUri: string, state: string, reason: Refusal, detail: string) {
    super(detail);
    this.facts = { reason, detail, outcome: "refused", error: AUTHORIZATION_ERRORS.invalidRequest };
    this.redirectUri = redirectUri;
    this.state = state;
  }

  /** RFC 6749 §4.1.2.1. The spec requires the code `invalid_request` for all of these refusals. */
  parameters(issuer: string): Record<string, string> {
    return {
      error: AUTHORIZATION_ERRORS.invalidRequest,
      error_description: this.message,
      state: this.state,
      iss: issuer,
    };
  }
}

/** The reason in the log and the metrics. */
type Refusal =
  | ("client_disabled" | "grant_type_not_allowed" | "invalid_client")
  | `invalid_${AuthorizeParameter}`;

export type Refuse = (reason: Refusal, detail: string) => Error;

const refuseClient = (detail: string) => new UnredirectableError("invalid_client", detail);

/** @throws {UnredirectableError} client_id */
export function requireActive(client: Client | null): Client {
  if (!client) throw refuseClient("client_id is not registered");
  if (client.status === "active") return client;
  throw new UnredirectableError("client_disabled", "the client is disabled", client);
}

function registeredUri(query: URLSearchParams, client: Client): string {
  const { redirectUris } = client;
  const refuse = (detail: string, sent?: string) =>
    new UnredirectableError("invalid_redirect_uri", detail, client, sent);
  const presented = onlyValue(query, "redirect_uri", refuse);
  if (isRegisteredRedirectUri(presented, redirectUris)) return presented;
  const sent = withoutSecrets(presented);
  throw refuse(`redirect_uri is not registered: ${sent.slice(0, 100)}`, sent);
}

function presentedState(query: URLSearchParams, client: Client): string {
  const refuse = (detail: string) => new UnredirectableError("invalid_state", detail, client);
  const state = onlyValue(query, "state", refuse);
  // The parser put this in place of invalid UTF-8, so the client would get a changed state back.
  if (state.includes("\ufffd")) throw refuse("state is not UTF-8");
  if (Buffer.byteLength(state) > MAX_STATE_BYTES)
    throw refuse(`state is longer than ${MAX_STATE_BYTES} bytes`);
  return state;
}

/** Refuses unknown scopes and scopes not enabled at onboarding; never drops them. */
function requestedScope(query: URLSearchParams, client: Client, refuse: Refuse): readonly Scope[] {
  const wrong = wrongValue("scope", refuse);
  const scope = parseScope(onlyValue(query, "scope", wrong));
  if (!scope) throw wrong("scope must be a list of scopes, one space between two");
  const isEnabled = (value: string): value is Scope =>
    isScope(value) && client.scope.includes(value);
  if (scope.every(isEnabled)) return scope;
  const refused = scope.find((value) => !isEnabled(value));
  throw wrong(
    `scope ${refused?.slice(0, 100)} is not allowed; this client may request ${client.scope.join(" ")}`,
  );
}

function presentedCodeChallenge(query: URLSearchParams, refuse: Refuse): string {
  const wrong = wrongValue("code_challenge", refuse);
  const codeChallenge = onlyValue(query, "code_challenge", wrong);
  if (CODE_CHALLENGE_PATTERN.test(codeChallenge)) return codeChallenge;
  throw wrong("code_challenge must be the base64url SHA-256 of the code_verifier");
}

export function requireCodeFlow(client: Client, refuse: Refuse): void {
  if (client.grantTypes.includes("authorization_code")) return;
  throw refuse("grant_type_not_allowed", "this client may not use the authorization code flow");
}

/** Reads the hints (OpenID Connect Core §3.1.2.1). Repeated or malformed hints are ignored. */
function presentedHints(query: URLSearchParams): AuthorizationHints {
  const hint = (key: keyof AuthorizationHints, name: AuthorizeHint, form: RegExp) => {
    const [value = "", ...more] = query.getAll(name);
    return more.length === 0 && form.test(value) && { [key]: value };
  };
  return {
    ...hint("loginHint", "login_hint", LOGIN_HINT_PATTERN),
    ...hint("uiLocales", "ui_locales", UI_LOCALES_PATTERN),
  };
}

function requireValue(
  query: URLSearchParams,
  name: AuthorizeParameter,
  value: string,
  refuse: Refuse,
): void {
  const wrong = wrongValue(name, refuse);
  if (onlyValue(query, name, wrong) !== value) throw wrong(`${name} must be ${value}`);
}

function wrongValue(name: AuthorizeParameter, refuse: Refuse): (detail: string) => Error {
  return (detail) => refuse(`invalid_${name}`, detail);
}

/**
 * The parameter's only value. Repeated parameters are refused, and empty ones count as absent (RFC
 * 6749 §3.1).
 */
function onlyValue(
  query: URLSearchParams,
  name: AuthorizeParameter,
  wrong: (detail: string) => Error,
): string {
  const values = query.getAll(name);
  if (values.length > 1) throw wrong(`${name} is given more than once`);
  const [value] = values;
  if (!value) throw wrong(`${name} is ${value === undefined ? "missing" : "empty"}`);
  return value;
}

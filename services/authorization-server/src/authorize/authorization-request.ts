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

/** A valid authorization request (openapi.json, authorize). Next, `consent/` asks the merchant. */
export interface AuthorizationRequest {
  readonly clientId: string;
  /** As sent. It equals the registered URI byte for byte, except for a loopback URI's port. */
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
 * Applies the rules in their order of precedence. A refusal by one of the first three shows the
 * error page; a later one redirects to the client. Unknown parameters are ignored.
 * @throws {UnredirectableError} client_id, redirect_uri, state
 * @throws {RedirectableError} other parameters, and a client without the code flow
 */
export async function validateAuthorizationRequest(
  query: URLSearchParams,
  findClient: (clientId: string) => Promise<Client | null>,
): Promise<AuthorizationRequest> {
  const client = requireActive(await findClient(onlyValue(query, "client_id", invalidClient)));
  const pageRefusal: RefusalOf = (reason, detail, sent) =>
    new UnredirectableError(reason, detail, client, sent);
  const redirectUri = registeredUri(query, client, pageRefusal);
  const state = presentedState(query, pageRefusal);

  const refusal: RefusalOf = (reason, detail) =>
    new RedirectableError(redirectUri, state, reason, detail);
  requireValue(query, "response_type", RESPONSE_TYPE, refusal);
  const scope = requestedScope(query, client, refusal);
  const codeChallenge = presentedCodeChallenge(query, refusal);
  requireValue(query, "code_challenge_method", CODE_CHALLENGE_METHOD, refusal);
  requireCodeFlow(client, refusal);

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
 * Shows the merchant an error page, because there is no safe redirect target (guides/errors.md) or,
 * in `consent/`, because the client may no longer get a code.
 */
export class UnredirectableError extends HttpError {
  constructor(reason: Reason, detail: string, client: HttpError["client"] = null, sent?: string) {
    const page = INVALID_LINK.includes(reason) ? "invalid_link" : "client_disabled";
    const facts = { reason, detail, sent, outcome: "refused" } as const;
    super(400, "bad_request", page, facts, { detail, client });
  }
}

/** A refusal that redirects to the client (guides/errors.md). */
export class RedirectableError extends Error {
  readonly redirectUri: string;
  readonly state: string;
  readonly facts: RequestFacts;

  constructor(redirectUri: string, state: string, reason: Reason, detail: string) {
    super(detail);
    this.facts = { reason, detail, outcome: "refused", error: AUTHORIZATION_ERRORS.invalidRequest };
    this.redirectUri = redirectUri;
    this.state = state;
  }

  /** The redirect's parameters (RFC 6749 §4.1.2.1). Every reason has the code `invalid_request`. */
  parameters(issuer: string): Record<string, string> {
    return {
      error: AUTHORIZATION_ERRORS.invalidRequest,
      error_description: this.message,
      state: this.state,
      iss: issuer,
    };
  }
}

/** The reason for a refusal, in the log and the metrics. */
type Reason =
  | ("client_disabled" | "grant_type_not_allowed" | "invalid_client")
  | `invalid_${AuthorizeParameter}`;

/** The reasons for which the page 'invalid_link' is shown. */
const INVALID_LINK: readonly Reason[] = ["invalid_client", "invalid_redirect_uri", "invalid_state"];

export type RefusalOf = (reason: Reason, detail: string, sent?: string) => Error;

const invalidClient: RefusalOf = (_, detail) => new UnredirectableError("invalid_client", detail);

/** @throws {UnredirectableError} client_id */
export function requireActive(client: Client | null): Client {
  if (!client) throw new UnredirectableError("invalid_client", "client_id is not registered");
  if (client.status === "active") return client;
  throw new UnredirectableError("client_disabled", "the client is disabled", client);
}

function registeredUri(
  query: URLSearchParams,
  { redirectUris }: Client,
  refusal: RefusalOf,
): string {
  const presented = onlyValue(query, "redirect_uri", refusal);
  if (isRegisteredRedirectUri(presented, redirectUris)) return presented;
  const sent = withoutSecrets(presented);
  const detail = `redirect_uri is not registered: ${sent.slice(0, 100)}`;
  throw refusal("invalid_redirect_uri", detail, sent);
}

function presentedState(query: URLSearchParams, refusal: RefusalOf): string {
  const state = onlyValue(query, "state", refusal);
  // The parser replaces invalid UTF-8 by U+FFFD, so the client would get a changed state back.
  if (state.includes("\ufffd")) throw refusal("invalid_state", "state is not UTF-8");
  if (Buffer.byteLength(state) > MAX_STATE_BYTES)
    throw refusal("invalid_state", `state is longer than ${MAX_STATE_BYTES} bytes`);
  return state;
}

/** Refuses unknown scopes, and scopes not enabled for the client, instead of dropping them. */
function requestedScope(
  query: URLSearchParams,
  client: Client,
  refusal: RefusalOf,
): readonly Scope[] {
  const scope = parseScope(onlyValue(query, "scope", refusal));
  if (!scope)
    throw refusal("invalid_scope", "scope must be a list of scopes, one space between two");
  const isEnabled = (value: string): value is Scope =>
    isScope(value) && client.scope.includes(value);
  if (scope.every(isEnabled)) return scope;
  const refused = scope.find((value) => !isEnabled(value));
  throw refusal(
    "invalid_scope",
    `scope ${refused?.slice(0, 100)} is not allowed; this client may request ${client.scope.join(" ")}`,
  );
}

function presentedCodeChallenge(query: URLSearchParams, refusal: RefusalOf): string {
  const codeChallenge = onlyValue(query, "code_challenge", refusal);
  if (CODE_CHALLENGE_PATTERN.test(codeChallenge)) return codeChallenge;
  const detail = "code_challenge must be the base64url SHA-256 of the code_verifier";
  throw refusal("invalid_code_challenge", detail);
}

export function requireCodeFlow(client: Client, refusal: RefusalOf): void {
  if (client.grantTypes.includes("authorization_code")) return;
  throw refusal("grant_type_not_allowed", "this client may not use the authorization code flow");
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
  refusal: RefusalOf,
): void {
  if (onlyValue(query, name, refusal) !== value)
    throw refusal(`invalid_${name}`, `${name} must be ${value}`);
}

/**
 * The parameter's only value. Repeated parameters are refused, and empty ones count as absent (RFC
 * 6749 §3.1).
 */
function onlyValue(query: URLSearchParams, name: AuthorizeParameter, refusal: RefusalOf): string {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) throw refusal(`invalid_${name}`, `${name} is given more than once`);
  if (value) return value;
  throw refusal(`invalid_${name}`, `${name} is ${value === undefined ? "missing" : "empty"}`);
}

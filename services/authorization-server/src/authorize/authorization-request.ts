import { isScope, parseScope, type Scope } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";
import type { RequestFacts } from "@partner-connect/service-runtime";
import type { AuthorizationHints, AuthorizationRequest } from "../consent/authorization.ts";
import { HttpError } from "../errors.ts";
import {
  AUTHORIZATION_ERRORS,
  type AuthorizeParameter,
  CODE_CHALLENGE,
  CODE_CHALLENGE_METHOD,
  LOGIN_HINT,
  MAX_STATE_BYTES,
  RESPONSE_TYPE,
  UI_LOCALES,
} from "../protocol.ts";
import { explainMismatch, isRegisteredRedirectUri } from "../redirect-uri.ts";

/**
 * The rules in their order of precedence. The first three decide whether the browser can be redirected: their refusals are the error page.
 * All later ones go back to the client. Parameters other than these seven and the two hints change nothing.
 * @throws {UnredirectableError} client_id, redirect_uri, state @throws {RedirectableError} everything else
 */
export async function validateAuthorizationRequest(
  query: URLSearchParams,
  findClient: FindClient,
): Promise<AuthorizationRequest> {
  const client = await registeredClient(query, findClient);
  const redirectUri = registeredUri(query, client);
  const state = presentedState(query, client);

  const refuse: Refuse = (reason, problem) => new RedirectableError(redirectUri, state, reason, problem);
  responseTypeIsCode(query, refuse);
  const scope = requestedScope(query, client, refuse);
  const codeChallenge = presentedCodeChallenge(query, refuse);
  codeChallengeMethodIsS256(query, refuse);
  mayUseCodeFlow(client, refuse);

  return { clientId: client.clientId, redirectUri, state, scope, codeChallenge, hints: presentedHints(query) };
}

/** Nobody can be redirected to, so the merchant sees the error page (spec, Outcomes, last row). */
export class UnredirectableError extends HttpError {
  readonly kind: "client" | "client_disabled" | "redirect_uri" | "state";

  constructor(kind: UnredirectableError["kind"], detail: string, client: HttpError["client"] = null) {
    const page = kind === "client_disabled" ? "client_disabled" : "invalid_link";
    const reason = kind === "client_disabled" ? kind : `invalid_${kind}`;
    super(400, "bad_request", page, { reason, detail, outcome: "refused" }, { developerDetail: detail, client });
    this.kind = kind;
  }
}

/** Spec, Outcomes: invalid scope, response_type or PKCE parameters go back to the client. */
export class RedirectableError extends Error {
  readonly redirectUri: string;
  readonly state: string;
  readonly facts: RequestFacts;

  constructor(redirectUri: string, state: string, reason: string, description: string) {
    super(description);
    this.facts = { reason, detail: description, outcome: "refused", error: AUTHORIZATION_ERRORS.invalidRequest };
    this.redirectUri = redirectUri;
    this.state = state;
  }

  /** RFC 6749 §4.1.2.1; the spec names this one code for all of them. */
  parameters(issuer: string): Record<string, string> {
    return {
      error: AUTHORIZATION_ERRORS.invalidRequest,
      error_description: this.message,
      state: this.state,
      iss: issuer,
    };
  }
}

/* The rules, in the order in which they are applied. Each throws its refusal. */

type FindClient = (clientId: string) => Promise<Client | null>;

/** Makes the error of a refusal that goes back to the client. `reason` is a word of a bounded set. */
type Refuse = (reason: string, problem: string) => Error;

async function registeredClient(query: URLSearchParams, findClient: FindClient): Promise<Client> {
  const refuse = (problem: string) => new UnredirectableError("client", problem);
  const client = await findClient(onlyValue(query, "client_id", refuse));
  if (!client) throw refuse("client_id is not registered");
  if (client.status !== "active") throw new UnredirectableError("client_disabled", "the client is disabled", client);
  return client;
}

function registeredUri(query: URLSearchParams, client: Client): string {
  const { redirectUris } = client;
  const refuse = (problem: string) => new UnredirectableError("redirect_uri", problem, client);
  const presented = onlyValue(query, "redirect_uri", refuse);
  if (isRegisteredRedirectUri(presented, redirectUris)) return presented;
  throw refuse(`redirect_uri is not registered: ${explainMismatch(presented, redirectUris)}`);
}

function presentedState(query: URLSearchParams, client: Client): string {
  const refuse = (problem: string) => new UnredirectableError("state", problem, client);
  const state = onlyValue(query, "state", refuse);
  if (Buffer.byteLength(state) > MAX_STATE_BYTES) throw refuse(`state is longer than ${MAX_STATE_BYTES} bytes`);
  return state;
}

function responseTypeIsCode(query: URLSearchParams, refuse: Refuse): void {
  requireValue(query, "response_type", RESPONSE_TYPE, refuse);
}

/** Unknown scopes and those not enabled at onboarding are refused alike, and never dropped. */
function requestedScope(query: URLSearchParams, client: Client, refuse: Refuse): readonly Scope[] {
  const wrong = wrongValue("scope", refuse);
  const scope = parseScope(onlyValue(query, "scope", wrong));
  if (!scope) throw wrong("scope must be a list of scopes, one space between two");
  const isEnabled = (value: string): value is Scope => isScope(value) && client.scope.includes(value);
  if (scope.every(isEnabled)) return scope;
  const refused = scope.find((value) => !isEnabled(value))?.slice(0, 100);
  throw wrong(`scope ${refused} is not allowed; this client may request ${client.scope.join(" ")}`);
}

function presentedCodeChallenge(query: URLSearchParams, refuse: Refuse): string {
  const wrong = wrongValue("code_challenge", refuse);
  const codeChallenge = onlyValue(query, "code_challenge", wrong);
  if (CODE_CHALLENGE.test(codeChallenge)) return codeChallenge;
  throw wrong("code_challenge must be the base64url SHA-256 of the code_verifier");
}

function codeChallengeMethodIsS256(query: URLSearchParams, refuse: Refuse): void {
  requireValue(query, "code_challenge_method", CODE_CHALLENGE_METHOD, refuse);
}

function mayUseCodeFlow(client: Client, refuse: Refuse): void {
  if (client.grantTypes.includes("authorization_code")) return;
  throw refuse("grant_type_not_allowed", "this client may not use the authorization code flow");
}

/** OpenID Connect Core §3.1.2.1. What is given twice, or is not of the form, is as if it were left out. */
function presentedHints(query: URLSearchParams): AuthorizationHints {
  const hint = (name: string, form: RegExp) => {
    const [value = "", ...more] = query.getAll(name);
    return more.length === 0 && form.test(value) ? value : undefined;
  };
  const [loginHint, uiLocales] = [hint("login_hint", LOGIN_HINT), hint("ui_locales", UI_LOCALES)];
  return { ...(loginHint && { loginHint }), ...(uiLocales && { uiLocales }) };
}

function requireValue(query: URLSearchParams, name: AuthorizeParameter, value: string, refuse: Refuse): void {
  const wrong = wrongValue(name, refuse);
  if (onlyValue(query, name, wrong) !== value) throw wrong(`${name} must be ${value}`);
}

function wrongValue(name: AuthorizeParameter, refuse: Refuse): (problem: string) => Error {
  return (problem) => refuse(`invalid_${name}`, problem);
}

/** The one value of a parameter (RFC 6749 §3.1: each at most once, and an empty one counts as left out). */
function onlyValue(query: URLSearchParams, name: AuthorizeParameter, wrong: (problem: string) => Error): string {
  const values = query.getAll(name);
  if (values.length > 1) throw wrong(`${name} is given more than once`);
  const [value] = values;
  if (!value) throw wrong(`${name} is ${value === undefined ? "missing" : "empty"}`);
  return value;
}

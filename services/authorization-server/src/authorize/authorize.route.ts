import cookie from "@fastify/cookie";
import { SCOPE_LIST } from "@partner-connect/contract";
import {
  answer,
  COUNTED,
  constant,
  type HeaderName,
  text,
} from "@partner-connect/contract/openapi";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";
import Type, { type TSchema } from "typebox";
import { limited } from "../clients/rate-limit.ts";
import { beginAuthorization } from "../consent/pending-authorization.ts";
import { methodNotAllowed } from "../errors.ts";
import { EXAMPLE } from "../openapi.ts";
import {
  AUTHORIZE_PATH,
  type AuthorizeHint,
  type AuthorizeParameter,
  CODE_CHALLENGE,
  CODE_CHALLENGE_METHOD,
  MAX_STATE_BYTES,
  RESPONSE_TYPE,
} from "../protocol.ts";
import { redirectLocation } from "../redirect-uri.ts";
import { RedirectableError, validateAuthorizationRequest } from "./authorization-request.ts";

/** `authorization-request.ts` has the rules and their order. */
const PARAMETERS: Readonly<Record<AuthorizeParameter | AuthorizeHint, TSchema>> = {
  response_type: constant(RESPONSE_TYPE, "The authorization code flow."),
  client_id: text("Your client's id.", EXAMPLE.clientId),
  redirect_uri: text(
    "One of your registered redirect URIs, byte for byte. A registered `http://localhost` or `http://127.0.0.1` URI may use any port.",
    EXAMPLE.redirectUri,
    { format: "uri" },
  ),
  scope: text(
    "The requested scopes, space-separated. Unknown scopes, and scopes that are not enabled for your client, are refused rather than dropped. " +
      "The shop may be granted fewer: see the token's `scope`.",
    "responses:read sources:write",
    { pattern: SCOPE_LIST.source },
  ),
  state: text(
    `Unguessable, made for this attempt, and bound to your user's session. It comes back unchanged; verify it before anything else. At most ${MAX_STATE_BYTES} bytes of UTF-8.`,
    EXAMPLE.state,
    { minLength: 1, maxLength: MAX_STATE_BYTES },
  ),
  code_challenge: text(
    "The base64url, without padding, of the SHA-256 of a fresh `code_verifier` (RFC 7636 §4.2).",
    EXAMPLE.codeChallenge,
    { pattern: CODE_CHALLENGE.source },
  ),
  code_challenge_method: constant(CODE_CHALLENGE_METHOD, "SHA-256, the only method."),
  login_hint: Type.Optional(
    text(
      "The merchant's email, if you know it: the sign-in form is prefilled with it. Invalid values are ignored.",
      EXAMPLE.email,
    ),
  ),
  ui_locales: Type.Optional(
    text(
      "The merchant's preferred languages (BCP 47), best first, space-separated. Our pages use the first that they support, unless the merchant has chosen one there. Invalid values are ignored.",
      "de-AT en",
    ),
  ),
};

const [, ...RATE_LIMIT] = COUNTED;

const page = (description: string, ...headers: readonly HeaderName[]) =>
  answer(description, ["x-request-id", ...headers], {
    "text/html": {
      schema: Type.String({
        description: "A page for the merchant. Its collapsed details tell you what is wrong.",
      }),
    },
  });

const schema = {
  operationId: "authorize",
  tags: ["Authorization"],
  summary: "Starts the connection of one shop in the merchant's browser.",
  description:
    "For a browser, not for your server. The merchant signs in, chooses one shop, and approves or declines. Then the browser returns to your redirect URI with\n\n" +
    "- `code`, `state` and `iss` when the merchant approved. The code is valid for five minutes and works once;\n" +
    "- `error=access_denied`, `state` and `iss` when the merchant declined, or has no shop that can be connected;\n" +
    "- `error=invalid_request`, `error_description`, `state` and `iss` when `response_type`, `scope` or a PKCE parameter is wrong.\n\n" +
    "Verify `state` first, then that `iss` is the issuer of the metadata (RFC 9207), then exchange the code immediately. An attempt is bound to the browser " +
    "that you sent here, is valid for an hour, and its first decision counts. Other parameters are ignored.",
  querystring: Type.Object(PARAMETERS),
  response: {
    302: answer(
      "Redirects to our sign-in page, or to your redirect URI with `error=invalid_request`.",
      [...COUNTED, "location", "cache-control"],
    ),
    400: page(
      "The client is unknown or disabled, the redirect URI is not registered, or `state` is missing or too long. The merchant sees an error page; the browser is not redirected.",
      ...RATE_LIMIT,
    ),
    429: page(
      "Too many authorization requests from this address in this minute.",
      ...RATE_LIMIT,
      "retry-after",
    ),
    500: page("An error on our side."),
    503: page(
      "A service that we depend on is unavailable. The page says so, and that nothing was decided.",
      "retry-after",
    ),
  },
};

/** Spec, GET authorize. Other methods count against the same limit, and get 405. */
export async function authorizeRoute(app: FastifyInstance): Promise<void> {
  const { clients, config } = app;
  await app.register(cookie);
  app.setErrorHandler((error, request, reply) => {
    // errors.ts answers the error page, rate limits and faults.
    if (!(error instanceof RedirectableError)) throw error;
    noteFacts(request, error.facts);
    const location = redirectLocation(error.redirectUri, error.parameters(config.tokens.issuer));
    return reply.header("cache-control", "no-store").redirect(location, 302);
  });

  const limit = {
    ...limited("authorize", config.rateLimits.authorize),
    counts: "authorizations",
  } as const;
  app.route({
    url: AUTHORIZE_PATH,
    method: ["GET"],
    schema,
    config: limit,
    handler: async (request, reply) => {
      const findClient = async (id: string) => {
        const client = await clients.find(id);
        if (client) noteFacts(request, { clientId: client.clientId });
        return client;
      };
      const valid = await validateAuthorizationRequest(queryOf(request), findClient);
      noteFacts(request, { outcome: "begun" });
      return reply
        .header("cache-control", "no-store")
        .redirect(beginAuthorization(reply, valid), 302);
    },
  });
  app.route({
    url: AUTHORIZE_PATH,
    method: ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    config: { ...limit, isMethodRefusal: true },
    // Refused before the body is read.
    preParsing: async (_request, reply) => void methodNotAllowed(reply, "GET"),
    handler: (_request, reply) => reply,
  });
}

function queryOf(request: FastifyRequest): URLSearchParams {
  const { url = "" } = request.raw;
  return new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");
}

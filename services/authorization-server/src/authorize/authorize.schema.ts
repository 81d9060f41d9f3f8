import { SCOPE_LIST } from "@partner-connect/contract";
import {
  answer,
  COUNTED,
  constant,
  type HeaderName,
  text,
} from "@partner-connect/contract/openapi";
import Type, { type TSchema } from "typebox";
import { EXAMPLE } from "../openapi.ts";
import {
  type AuthorizeHint,
  type AuthorizeParameter,
  CODE_CHALLENGE_METHOD,
  CODE_CHALLENGE_PATTERN,
  MAX_STATE_BYTES,
  RESPONSE_TYPE,
} from "../protocol.ts";

/** Only describes the parameters. The rules and their order are in `authorization-request.ts`. */
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
    { pattern: CODE_CHALLENGE_PATTERN.source },
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

const pageAnswer = (description: string, ...headers: readonly HeaderName[]) =>
  answer(description, ["x-request-id", ...headers], {
    "text/html": {
      schema: Type.String({
        description: "A page for the merchant. Its collapsed details tell you what is wrong.",
      }),
    },
  });

export const schema = {
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
    400: pageAnswer(
      "The client is unknown or disabled, the redirect URI is not registered, or `state` is missing or too long. The merchant sees an error page; the browser is not redirected.",
      ...RATE_LIMIT,
    ),
    429: pageAnswer(
      "Too many authorization requests from this address in this minute.",
      ...RATE_LIMIT,
      "retry-after",
    ),
    500: pageAnswer("An error on our side."),
    503: pageAnswer(
      "A service that we depend on is unavailable. The page asks the merchant to try again.",
      "retry-after",
    ),
  },
};

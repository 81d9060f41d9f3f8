import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import {
  type Answer,
  COUNTED,
  type Example,
  example,
  type HeaderName,
  jsonAnswer,
  swaggerOptions,
  text,
} from "@partner-connect/contract/openapi";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import Type from "typebox";
import { CLIENT_AUTHENTICATION_FAILED, CLIENT_DISABLED, TOKEN_ERROR_STATUS } from "./protocol.ts";

/**
 * Collects the schemas of all routes registered after this plugin, for `pnpm openapi`. Requests are
 * validated only by routes that set their own validator.
 */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  const hasClient = ({ limit }: FastifyContextConfig) =>
    limit === "token" || limit === "partner_api";
  const securityOf = (config: FastifyContextConfig) => (hasClient(config) ? [{ client: [] }] : []);
  await app.register(swagger, swaggerOptions(securityOf) as FastifyDynamicSwaggerOptions);
}

export const EXAMPLE = {
  clientId: "client_5f0c1a2b3d4e5f6071829304",
  redirectUri: "https://partner.example/callback",
  email: "anna@shop.example",
  state: "Zk3p8XbV0sWm2QeRt7Yu1A",
  code: "ThisIsAnExampleOfACodeAndNotARealOne-123456",
  /** The example of RFC 7636, appendix B. */
  codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  refreshToken:
    "pcr_ThisIsAnExampleOfARefreshTokenNotARealOne-0_shop_018c2a90f3b4756e9d21c0de5f6a7b89",
  accessToken:
    "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJleGFtcGxlIjp0cnVlfQ.ThisIsAnExampleAndNotASignature",
} as const;

const TokenErrorBody = Type.Object(
  {
    error: text("Branch on this code.", "invalid_grant", {
      "x-extensible-enum": Object.keys(TOKEN_ERROR_STATUS),
    }),
    error_description: text(
      "For people. Only `refresh token expired`, `grant revoked` and `superseded by a newer authorization` (all `invalid_grant`) are stable. After a refused refresh, use a newer refresh token of this connection if you have one; otherwise the connection's `status` in the list says whether the merchant must connect again or it is on hold.",
      "grant revoked",
    ),
  },
  { $id: "TokenError", description: "Why a token request is refused (RFC 6749 §5.2)." },
);

const Fault = Type.Object(
  {
    error: text(
      "Why we could not process the request. It does not mean that the request is wrong.",
      "unavailable",
      { "x-extensible-enum": ["too_many_requests", "internal_error", "unavailable"] },
    ),
  },
  { $id: "Fault", description: "Why a client's request could not be processed." },
);

export const tokenRefusal = (
  description: string,
  headers: readonly HeaderName[],
  refusals: Record<string, Example>,
): Answer =>
  jsonAnswer(TokenErrorBody, description, [...COUNTED, "cache-control", ...headers], refusals);

export const refusal = (error: string, error_description: string, summary: string): Example =>
  example(summary, { error, error_description });

export const UNAUTHORIZED_CLIENT = refusal(
  "unauthorized_client",
  "this client may not use refresh_token",
  "A grant type that was not enabled for you",
);

const fault = (
  error: string,
  description: string,
  summary: string,
  headers: readonly HeaderName[],
) => jsonAnswer(Fault, description, headers, { [error]: example(summary, { error }) });

/** The token endpoint's failures that a client should retry. */
export const TOKEN_FAILURES: Readonly<Record<number, Answer>> = {
  429: fault(
    "too_many_requests",
    "Too many token requests from this address in this minute. Wait `retry-after` seconds; the code or token is unaffected.",
    "The eleventh request of a minute",
    [...COUNTED, "retry-after"],
  ),
  500: fault("internal_error", "An error on our side. Retry later.", "A defect", ["x-request-id"]),
  503: fault(
    "unavailable",
    "A service that we depend on is unavailable. Wait `retry-after` seconds and retry. It never means that your credentials are wrong.",
    "A store is unavailable",
    ["x-request-id", "retry-after"],
  ),
};

export const CLIENT_REFUSED: Answer = tokenRefusal(
  "The Basic header has no valid credentials of an active client.",
  ["www-authenticate"],
  {
    invalid_client: refusal(
      "invalid_client",
      CLIENT_AUTHENTICATION_FAILED,
      "Any problem with the credentials",
    ),
    client_disabled: refusal(
      "invalid_client",
      CLIENT_DISABLED,
      "The secret is right, but the client is disabled",
    ),
  },
);

/** The failures of the routes with the limit `partner_api`: connections, changes, revocations. */
export const PARTNER_API_FAILURES: Readonly<Record<number, Answer>> = {
  ...TOKEN_FAILURES,
  429: fault(
    "too_many_requests",
    "Too many calls of connections, changes and revoke together from this address in this minute. Wait `retry-after` seconds.",
    "The 601st call of a minute",
    [...COUNTED, "retry-after"],
  ),
};

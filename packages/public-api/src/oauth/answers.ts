import Type, { type TSchema } from "typebox";
import { COUNTED, example, jsonAnswer, text } from "../document/described.ts";
import type { Answer, Example } from "../document/operation.ts";
import { CLIENT_AUTHENTICATION_FAILED, CLIENT_DISABLED, TOKEN_ERROR_STATUS } from "./protocol.ts";

const TokenErrorBody = Type.Object(
  {
    error: text("Branch on this.", "invalid_grant", { "x-extensible-enum": Object.keys(TOKEN_ERROR_STATUS) }),
    error_description: text(
      "For people. Only `refresh token expired` and `grant revoked` are stable, both of `invalid_grant`: the merchant must connect again. `superseded by a newer authorization` means it too, where you have no newer token.",
      "grant revoked",
    ),
  },
  { $id: "TokenError", description: "Why a token request is refused (RFC 6749 §5.2)." },
);

const OAuthFault = Type.Object(
  {
    error: text("What kept us from answering. It says nothing of your request.", "unavailable", {
      "x-extensible-enum": ["too_many_requests", "internal_error", "unavailable"],
    }),
  },
  { $id: "Fault", description: "Why a request of a client was not judged." },
);

export const OAUTH_ERROR_SCHEMAS: readonly TSchema[] = [TokenErrorBody, OAuthFault];

export const tokenRefusal = (
  description: string,
  headers: readonly string[],
  refusals: Record<string, Example>,
): Answer => jsonAnswer("TokenError", description, [...COUNTED, "cache-control", ...headers], refusals);

export const refusal = (error: string, error_description: string, summary: string): Example =>
  example(summary, { error, error_description });

const fault = (component: string, error: string, description: string, summary: string, headers: readonly string[]) => ({
  component,
  ...jsonAnswer("Fault", description, headers, { [error]: example(summary, { error }) }),
});

/** What the token endpoint answers when it can't judge the request. The code or token is as good as before. */
export const TOKEN_FAULTS: Readonly<Record<number, Answer>> = {
  429: fault(
    "TokenTooManyRequests",
    "too_many_requests",
    "Too many token requests from this address in this minute. Wait `retry-after` seconds; the code or token is as good as before.",
    "The eleventh request of a minute",
    [...COUNTED, "retry-after"],
  ),
  500: fault("OAuthInternalError", "internal_error", "A mistake of ours. Send the same again later.", "A defect", [
    "x-request-id",
  ]),
  503: fault(
    "OAuthUnavailable",
    "unavailable",
    "Something that we depend on is away. Wait `retry-after` seconds and send the same again. It never means that your credentials are wrong.",
    "A store is away",
    ["x-request-id", "retry-after"],
  ),
};

/** No credentials of an active client, as at the token endpoint. */
export const CLIENT_REFUSED: Answer = {
  component: "ClientRefused",
  ...tokenRefusal("No credentials of an active client in the Basic header.", ["www-authenticate"], {
    invalid_client: refusal("invalid_client", CLIENT_AUTHENTICATION_FAILED, "Whatever is wrong with the credentials"),
    client_disabled: refusal("invalid_client", CLIENT_DISABLED, "The secret is right, and the client is disabled"),
  }),
};

/** What keeps us from answering the routes that have one limit together: connections, changes, revocations. */
export const CLIENT_FAULTS: Readonly<Record<number, Answer>> = {
  ...TOKEN_FAULTS,
  429: fault(
    "ClientTooManyRequests",
    "too_many_requests",
    "Too many calls from this address in this minute, of lists of connections, changes and revocations together. Wait `retry-after` seconds.",
    "The 601st call of a minute",
    [...COUNTED, "retry-after"],
  ),
};

/** Which parameter of a list breaks a rule. `examples`: the parameter, the error's description, and when. */
export const invalidParameter = (
  examples: Readonly<Record<string, readonly [param: string, error_description: string, summary: string]>>,
): Answer =>
  jsonAnswer(
    "InvalidRequest",
    "A parameter breaks a rule; `param` names it.",
    [...COUNTED, "cache-control"],
    Object.fromEntries(
      Object.entries(examples).map(([name, [param, error_description, summary]]) => [
        name,
        example(summary, { error: "invalid_request", error_description, param }),
      ]),
    ),
  );

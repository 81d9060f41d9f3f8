import type { Answer, Examples } from "@partner-connect/public-api/document";
import Type, { type TSchema } from "typebox";

const ErrorBody = Type.Object(
  {
    error: Type.String({
      description: "Branch on the status and on this.",
      "x-extensible-enum": [
        "unauthorized",
        "forbidden",
        "insufficient_scope",
        "too_many_requests",
        "payload_too_large",
        "unsupported_media_type",
        "idempotency_key_reused",
        "internal_error",
        "unavailable",
      ],
      examples: ["unauthorized"],
    }),
  },
  { $id: "Error", description: "Why a call is refused, or was not answered." },
);

const InvalidRequest = Type.Object(
  {
    error: Type.Literal("invalid_request", {
      description: "Branch on the status and on this.",
      examples: ["invalid_request"],
    }),
    error_description: Type.String({
      description: "For people; it may change.",
      examples: ["limit must be an integer from 1 to 1000."],
    }),
    param: Type.String({
      description:
        "The parameter or field that is wrong, by its canonical name; `url` or `body` where it is no single one.",
      examples: ["limit"],
    }),
  },
  { $id: "InvalidRequest", description: "Which rule a parameter or field breaks." },
);

export const ERROR_SCHEMAS: readonly TSchema[] = [ErrorBody, InvalidRequest];

/** Every answer to a caller whose calls are counted. */
export const COUNTED = ["x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/** An answer that says the error's name and nothing else: one example for each name, with what it means there. */
export function errorAnswer(description: string, errors: Readonly<Record<string, string>>): Answer {
  const examples = Object.entries(errors).map(([error, summary]) => [error, { summary, value: { error } }]);
  return {
    description,
    headers: COUNTED,
    content: { "application/json": { schema: Type.Ref("Error#"), examples: Object.fromEntries(examples) } },
  };
}

/** A parameter or body that breaks a rule. */
export function invalidAnswer(examples: Examples): Answer {
  return {
    description: "A parameter or field breaks a rule; `param` names it.",
    headers: COUNTED,
    content: { "application/json": { schema: Type.Ref("InvalidRequest#"), examples } },
  };
}

/** One refusal of a parameter or field, as an example. */
export const invalid = (param: string, error_description: string, summary: string) => ({
  summary,
  value: { error: "invalid_request", error_description, param },
});

/** What every endpoint with a credential may answer, whatever it is asked. */
const CALLER_ANSWERS = {
  401: {
    ...errorAnswer(
      "No credential, or one that is not valid: the access token is malformed, has expired or was not made here; the API key is unknown or revoked. Refresh the access token once.",
      { unauthorized: "An access token that has expired" },
    ),
    component: "Unauthorized",
    headers: ["x-request-id", "www-authenticate"],
  },
  429: {
    ...errorAnswer(
      "This connection or API key has used up its calls of this minute; or too many of the shop's answers wait to be read. Wait `retry-after` seconds.",
      { too_many_requests: "The 601st call of a minute" },
    ),
    component: "TooManyRequests",
    headers: [...COUNTED, "retry-after"],
  },
  500: {
    ...errorAnswer("A mistake of ours. Send the same again later.", { internal_error: "A defect" }),
    component: "InternalError",
    headers: ["x-request-id"],
  },
  503: {
    ...errorAnswer(
      "Something that we depend on is away. Wait `retry-after` seconds and send the same again. It never means that the credential or the request is wrong.",
      { unavailable: "A store is away" },
    ),
    component: "Unavailable",
    headers: ["x-request-id", "retry-after"],
  },
} satisfies Record<number, Answer>;

const FORBIDDEN =
  "The connection was revoked or is on hold: refresh once, and ask the merchant to connect again if that says `grant revoked`";

/** The same, of an endpoint that needs a scope. */
export const ERROR_ANSWERS = {
  400: {
    ...invalidAnswer({ limit: invalid("limit", "limit must be an integer from 1 to 1000.", "A limit of 0") }),
    component: "InvalidParameter",
  },
  ...CALLER_ANSWERS,
  403: {
    ...errorAnswer("The credential is valid, and may not do this.", {
      forbidden: FORBIDDEN,
      insufficient_scope:
        "The access token, the connection or the shop's plan lacks the scope; `www-authenticate` names it for access tokens",
    }),
    component: "Forbidden",
  },
} satisfies Record<number, Answer>;

/** Of an endpoint that needs no scope. */
export const ANY_SCOPE_ANSWERS = {
  ...CALLER_ANSWERS,
  403: { ...errorAnswer("The credential is valid, and may not do this.", { forbidden: FORBIDDEN }), component: "Held" },
} satisfies Record<number, Answer>;

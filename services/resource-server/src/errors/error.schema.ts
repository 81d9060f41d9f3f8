import {
  type Answer,
  COUNTED,
  example,
  type HeaderName,
  invalid,
  invalidAnswer,
  jsonAnswer,
  text,
} from "@partner-connect/contract/openapi";
import Type from "typebox";

const ApiError = Type.Object(
  {
    error: text("Branch on the status and this code.", "unauthorized", {
      "x-extensible-enum": [
        ...[
          "unauthorized",
          "forbidden",
          "insufficient_scope",
          "too_many_requests",
          "payload_too_large",
        ],
        ...["unsupported_media_type", "idempotency_key_reused", "internal_error", "unavailable"],
      ],
    }),
  },
  { $id: "ApiError", description: "Why a call was refused or failed." },
);

/** A response whose body has only `error`, with one example per error. */
export function errorAnswer(
  description: string,
  errors: Readonly<Record<string, string>>,
  headers: readonly HeaderName[] = COUNTED,
): Answer {
  const examples = Object.entries(errors).map(([error, summary]) => [
    error,
    example(summary, { error }),
  ]);
  return jsonAnswer(ApiError, description, headers, Object.fromEntries(examples));
}

/** Error responses of all endpoints that need a credential. */
const CALLER_ANSWERS = {
  401: errorAnswer(
    "The credential is missing or invalid: the access token is malformed, expired or not from this system, or the API key is unknown or revoked. Refresh the access token once.",
    { unauthorized: "An expired access token" },
    ["x-request-id", "www-authenticate"],
  ),
  429: errorAnswer(
    "This connection or API key has used up its calls for this minute, or the shop had too many calls at the same time, each until its response is read. Wait `retry-after` seconds.",
    {
      too_many_requests:
        "The 601st call of a minute, or a call that waited for others of its shop in vain",
    },
    [...COUNTED, "retry-after"],
  ),
  500: errorAnswer("An error on our side. Retry later.", { internal_error: "A defect" }, [
    "x-request-id",
  ]),
  503: errorAnswer(
    "A service that we depend on is unavailable. Wait `retry-after` seconds and retry. It never means that the credential or the request is wrong.",
    { unavailable: "A store is unavailable" },
    ["x-request-id", "retry-after"],
  ),
} satisfies Record<number, Answer>;

const forbidden = (more: Readonly<Record<string, string>> = {}): Answer =>
  errorAnswer("The credential is valid, but not allowed to do this.", {
    forbidden:
      "The connection was revoked or is on hold: refresh once; if that is refused, the connection's `status` in the list says what to do",
    ...more,
  });

/** Error responses of all endpoints that need a scope. */
export const ERROR_ANSWERS = {
  400: invalidAnswer({
    limit: invalid("limit", "limit must be an integer from 1 to 1000.", "A limit of 0"),
  }),
  ...CALLER_ANSWERS,
  403: forbidden({
    insufficient_scope:
      "The access token, the connection or the shop's plan lacks the scope; `www-authenticate` names it for access tokens",
  }),
} satisfies Record<number, Answer>;

/** Error responses of endpoints that need a credential, but no scope. */
export const UNSCOPED_ERROR_ANSWERS = { ...CALLER_ANSWERS, 403: forbidden() };

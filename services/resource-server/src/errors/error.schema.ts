import {
  type Answer,
  COUNTED,
  constant,
  type Examples,
  example,
  jsonAnswer,
  text,
} from "@partner-connect/public-api/document";
import Type, { type TSchema } from "typebox";

const BRANCH = "Branch on the status and on this.";

const ErrorBody = Type.Object(
  {
    error: text(BRANCH, "unauthorized", {
      "x-extensible-enum": [
        ...["unauthorized", "forbidden", "insufficient_scope", "too_many_requests", "payload_too_large"],
        ...["unsupported_media_type", "idempotency_key_reused", "internal_error", "unavailable"],
      ],
    }),
  },
  { $id: "Error", description: "Why a call is refused, or was not answered." },
);

const InvalidRequest = Type.Object(
  {
    error: constant("invalid_request", BRANCH),
    error_description: text("For people; it may change.", "limit must be an integer from 1 to 1000."),
    param: text(
      "The parameter or field that is wrong, by its canonical name; `url` or `body` where it is no single one.",
      "limit",
    ),
  },
  { $id: "InvalidRequest", description: "Which rule a parameter or field breaks." },
);

export const ERROR_SCHEMAS: readonly TSchema[] = [ErrorBody, InvalidRequest];

/** An answer that says the error's name and nothing else: one example for each name, with what it means there. */
export function errorAnswer(description: string, errors: Readonly<Record<string, string>>, headers = COUNTED): Answer {
  const examples = Object.entries(errors).map(([error, summary]) => [error, example(summary, { error })]);
  return jsonAnswer("Error", description, headers, Object.fromEntries(examples));
}

export const invalidAnswer = (examples: Examples): Answer =>
  jsonAnswer("InvalidRequest", "A parameter or field breaks a rule; `param` names it.", COUNTED, examples);

export const invalid = (param: string, error_description: string, summary: string) =>
  example(summary, { error: "invalid_request", error_description, param });

/** What every endpoint with a credential may answer, whatever it is asked. */
const CALLER_ANSWERS = {
  401: {
    component: "Unauthorized",
    ...errorAnswer(
      "No credential, or one that is not valid: the access token is malformed, has expired or was not made here; the API key is unknown or revoked. Refresh the access token once.",
      { unauthorized: "An access token that has expired" },
      ["x-request-id", "www-authenticate"],
    ),
  },
  429: {
    component: "TooManyRequests",
    ...errorAnswer(
      "This connection or API key has used up its calls of this minute; or too many of the shop's answers wait to be read. Wait `retry-after` seconds.",
      { too_many_requests: "The 601st call of a minute" },
      [...COUNTED, "retry-after"],
    ),
  },
  500: {
    component: "InternalError",
    ...errorAnswer("A mistake of ours. Send the same again later.", { internal_error: "A defect" }, ["x-request-id"]),
  },
  503: {
    component: "Unavailable",
    ...errorAnswer(
      "Something that we depend on is away. Wait `retry-after` seconds and send the same again. It never means that the credential or the request is wrong.",
      { unavailable: "A store is away" },
      ["x-request-id", "retry-after"],
    ),
  },
} satisfies Record<number, Answer>;

const forbidden = (more: Readonly<Record<string, string>> = {}): Answer =>
  errorAnswer("The credential is valid, and may not do this.", {
    forbidden:
      "The connection was revoked or is on hold: refresh once, and ask the merchant to connect again if that says `grant revoked`",
    ...more,
  });

/** The same, of an endpoint that needs a scope. */
export const ERROR_ANSWERS = {
  400: {
    component: "InvalidParameter",
    ...invalidAnswer({ limit: invalid("limit", "limit must be an integer from 1 to 1000.", "A limit of 0") }),
  },
  ...CALLER_ANSWERS,
  403: {
    component: "Forbidden",
    ...forbidden({
      insufficient_scope:
        "The access token, the connection or the shop's plan lacks the scope; `www-authenticate` names it for access tokens",
    }),
  },
} satisfies Record<number, Answer>;

/** Of an endpoint that needs no scope. */
export const ANY_SCOPE_ANSWERS = { ...CALLER_ANSWERS, 403: { component: "Held", ...forbidden() } };

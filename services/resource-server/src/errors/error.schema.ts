import Type, { type TSchema } from "typebox";

const NOTHING_ELSE = { additionalProperties: false };

const ErrorBody = Type.Object({ error: Type.String() }, { $id: "Error", ...NOTHING_ELSE });
const InvalidRequest = Type.Object(
  { error: Type.Literal("invalid_request"), error_description: Type.String(), param: Type.String() },
  { $id: "InvalidRequest", ...NOTHING_ELSE },
);

export const ERROR_SCHEMAS: readonly TSchema[] = [ErrorBody, InvalidRequest];

/** An answer that says the error's name and nothing else. */
export const errorAnswer = (description: string): TSchema => Type.Ref("Error#", { description });

/** What every route with a scope may answer instead of what was asked for. */
export const ERROR_ANSWERS = {
  400: Type.Ref("InvalidRequest#", { description: "A parameter breaks a rule; `param` names it." }),
  401: errorAnswer("`unauthorized`: no valid access token or API key."),
  403: errorAnswer(
    "`forbidden`: the connection was revoked or disabled. `insufficient_scope`: its scopes don't cover this.",
  ),
  429: errorAnswer("`too_many_requests`: see `retry-after`, in seconds."),
  500: errorAnswer("`internal_error`."),
  503: errorAnswer("`unavailable`: try again after `retry-after` seconds."),
};

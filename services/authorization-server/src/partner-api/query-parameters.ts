import { TokenError } from "../token/token-request.ts";

/** A parameter of a list that breaks a rule: `param` names it, as in the API's own refusals (spec, Errors). */
export class ParameterError extends TokenError {
  readonly param: string;

  constructor(
    param: string,
    description: string,
    reason: "invalid_parameter" | "unknown_cursor" = "invalid_parameter",
  ) {
    super("invalid_request", description, reason, { param });
    this.param = param;
  }

  override get body() {
    return { ...super.body, param: this.param };
  }
}

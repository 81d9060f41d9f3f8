import { TokenError } from "../token/token-request.ts";

/** An invalid parameter, named by `param` like in the API's errors (spec, Errors). */
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

import { TokenError } from "../token/token-request.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

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

export type Query = URLSearchParams;

export const queryOf = (url: string): Query => new URLSearchParams(url.split("?").slice(1).join("?"));

/** @throws {ParameterError} if it is repeated */
export function single(query: Query, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) throw new ParameterError(name, `${name} may be given once.`);
  return value;
}

/** @throws {ParameterError} unless it is an integer of that range */
export function integer(
  query: Query,
  name: string,
  [least, most, fallback]: readonly [number, number, number],
): number {
  const value = single(query, name);
  if (value === undefined) return fallback;
  const number = /^(?:0|[1-9]\d{0,3})$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ParameterError(name, `${name} must be an integer from ${least} to ${most}.`);
}

export const readLimit = (query: Query): number => integer(query, "limit", [1, MAX_LIMIT, DEFAULT_LIMIT]);

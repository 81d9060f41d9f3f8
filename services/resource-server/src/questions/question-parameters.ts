import type { QueryParameters } from "../http/query-string.ts";
import { type PageParameters, readCursor, readLimit, readSingle } from "../pagination/page-parameters.ts";

const MIN_ID = -(2n ** 63n);
const MAX_ID = 2n ** 63n - 1n;

/**
 * The parameters of the list of questions: `limit` and a cursor. Unknown parameters are ignored.
 * @throws {ApiError} 400 naming the parameter that breaks a rule
 */
export function readQuestionParameters(parameters: QueryParameters): PageParameters {
  const given = readSingle(parameters, "limit");
  return {
    limit: readLimit(given),
    cursor: readCursor(parameters, isPossibleId),
    given: given === null ? [] : [["limit", given]],
  };
}

/** Whether a question could have this id: Postgres would refuse to compare with anything but a bigint. */
function isPossibleId(id: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(id) && BigInt(id) >= MIN_ID && BigInt(id) <= MAX_ID;
}

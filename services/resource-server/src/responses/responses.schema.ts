import { BASE_URL, example, invalid, invalidAnswer } from "@partner-connect/contract/openapi";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { pageAnswer } from "../pagination/record.schema.ts";
import { ListQuery } from "./list-parameters.ts";
import { EXAMPLE_RESPONSES, SurveyResponse } from "./response-fields.ts";

export const PATH = "/api/responses";
const [first, second] = EXAMPLE_RESPONSES;
const LINK = `${BASE_URL}${PATH}?limit=1&sort=updated_at_asc`;

export const schema = {
  operationId: "listResponses",
  tags: ["Responses"],
  summary: "Lists the shop's responses.",
  description:
    "Follow `next` until it is null: it keeps your filters, sort and limit. To copy a shop, ask for `limit=1000` with `sort=updated_at_asc`.\n\n" +
    "To stay in sync, read with `sort=updated_at_asc` and keep the last record's `id` and `updated_at`; later pass them as `starting_after` and `cursor_time`. " +
    "A record that you already have replaces yours.\n\n" +
    "Each parameter has one value; unknown ones are ignored, and named in `x-ignored-parameters`. If an older name and the current one are both sent, the current one is used.",
  querystring: ListQuery,
  response: {
    200: pageAnswer(SurveyResponse, PATH, first["id"] as string, {
      first_page: example(
        "`?limit=1&sort=updated_at_asc`: a follow-up question, answered with an option",
        {
          data: [first],
          prev: null,
          next: `${LINK}&starting_after=${first["id"]}&cursor_time=${cursorTime(first)}`,
        },
      ),
      last_page: example("The page at `next`: own words that the merchant has since categorized", {
        data: [second],
        prev: `${LINK}&ending_before=${second["id"]}&cursor_time=${cursorTime(second)}`,
        next: null,
      }),
    }),
    ...ERROR_ANSWERS,
    400: invalidAnswer({
      limit: invalid("limit", "limit must be an integer from 1 to 1000.", "`?limit=0`"),
      cursors: invalid(
        "ending_before",
        "starting_after and ending_before cannot be used together.",
        "`?starting_after=…&ending_before=…`",
      ),
      unknown_cursor: invalid(
        "starting_after",
        "starting_after is not the id of a record of this shop.",
        "An id that this shop doesn't have: of another shop, or of a record deleted more than 400 days ago",
      ),
      sort: invalid(
        "sort",
        "sort must be one of inserted_at_desc, inserted_at_asc, updated_at_desc, updated_at_asc.",
        "`?sort=newest`",
      ),
      time: invalid(
        "updated_at_min",
        "updated_at_min must be an RFC 3339 date-time, such as 2026-11-21T01:02:03.123Z.",
        "`?updated_at_min=yesterday`",
      ),
    }),
  },
};

function cursorTime(record: Readonly<Record<string, unknown>>): string {
  return encodeURIComponent(String(record["updated_at"]));
}

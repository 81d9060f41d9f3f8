import {
  BASE_URL,
  example,
  invalid,
  invalidAnswer,
  pageParameters,
  TIMESTAMP,
  text,
} from "@partner-connect/contract/openapi";
import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { pageAnswer, timeFilters, timeParameter } from "../pagination/page.schema.ts";

export const PATH = "/api/deleted-responses";

const EXAMPLE = {
  id: "res_018cc5f11a7c7e90a3b4c5d6e7f80912",
  deleted_at: "2024-03-05T14:30:00.000Z",
};
const { id, deleted_at } = EXAMPLE;

export const DeletionQuery = Type.Object({
  ...pageParameters(id),
  cursor_time: timeParameter(
    "The `deleted_at` of the cursor's record, as it was shown to you: the page then goes on exactly from there, also if the record was " +
      "imported and deleted again since. Only with a cursor.",
    deleted_at,
  ),
  ...timeFilters("deleted_at", deleted_at),
});

const DeletedResponse = Type.Object(
  {
    id: text("The id of the deleted response.", id, { minLength: 1, maxLength: 64 }),
    deleted_at: text(
      "When it was deleted: later than every `updated_at` and `deleted_at` that was visible before.",
      deleted_at,
      TIMESTAMP,
    ),
  },
  { $id: "DeletedResponse", description: "A deleted response." },
);

export const schema = {
  operationId: "listDeletedResponses",
  tags: ["Responses"],
  summary: "Lists the responses that are currently deleted, ordered by time of deletion.",
  description:
    "If you keep a copy, delete these from it. Store the last record's `id` and `deleted_at`, and pass them as `starting_after` and `cursor_time` next time. " +
    "Nothing is ever inserted before a position that you have passed. A response that is imported again under its id leaves the list; deleted again, it appears at the new time. " +
    "Deletions are kept for 400 days, and the newest older one of each shop stays: a cursor stays valid if you read the list at least once in 400 days. After a longer pause make a full copy.",
  querystring: DeletionQuery,
  response: {
    200: pageAnswer(DeletedResponse, PATH, id, {
      page: example("`?limit=1`: one deletion, and there is more", {
        data: [EXAMPLE],
        prev: null,
        next: `${BASE_URL}${PATH}?limit=1&starting_after=${id}&cursor_time=${encodeURIComponent(deleted_at)}`,
      }),
    }),
    ...ERROR_ANSWERS,
    400: invalidAnswer({
      unknown_cursor: invalid(
        "starting_after",
        "starting_after is not the id of a record of this shop.",
        "A cursor whose deletion is no longer kept: make a full copy",
      ),
      cursor_time: invalid(
        "cursor_time",
        "cursor_time goes with starting_after or ending_before.",
        "`?cursor_time=…` without a cursor",
      ),
    }),
  },
};

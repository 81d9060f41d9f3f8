import { BASE_URL } from "@partner-connect/public-api";
import {
  example,
  listSchema,
  type OperationSchema,
  pageParameters,
  TIMESTAMP,
  text,
} from "@partner-connect/public-api/document";
import Type from "typebox";
import { ERROR_ANSWERS, invalid, invalidAnswer } from "../errors/error.schema.ts";
import { pageAnswers, timeFilters, timeParameter } from "../pagination/page.schema.ts";

const DELETED = { id: "res_018cc5f11a7c7e90a3b4c5d6e7f80912", deleted_at: "2024-03-05T14:30:00.000Z" };

const DeletedResponse = Type.Object(
  {
    id: text("The response that is deleted.", DELETED.id, { minLength: 1, maxLength: 64 }),
    deleted_at: text(
      "When: later than every `updated_at` and `deleted_at` that was visible before.",
      DELETED.deleted_at,
      TIMESTAMP,
    ),
  },
  { $id: "DeletedResponse", description: "That a response is deleted." },
);

export const DELETION_SCHEMAS = [DeletedResponse, listSchema("DeletedResponse", "/api/deleted-responses", DELETED.id)];

/** `deletion-parameters.ts` reads the parameters. */
export const listDeletionsSchema = {
  operationId: "listDeletedResponses",
  summary: "A page of the responses that are deleted now, in the order of their deletion.",
  description:
    "What you have to delete too, if you keep a copy. Keep the last record's `id` and `deleted_at`, and pass them as `starting_after` and `cursor_time` the next time. " +
    "Nothing ever appears behind a reader. A response that is imported again under its id leaves the list; deleted once more, it stands at the new time. " +
    "Deletions are kept for at least 400 days: a cursor that is older is unknown, and then a full copy is due.",
  querystring: Type.Object({
    ...pageParameters(DELETED.id),
    cursor_time: timeParameter(
      "The `deleted_at` of the cursor's record, as it was shown to you: the page then goes on exactly from there, also if the record was " +
        "imported and deleted again since. Only with a cursor.",
      DELETED.deleted_at,
    ),
    ...timeFilters("deleted_at", DELETED.deleted_at),
  }),
  response: {
    ...pageAnswers("DeletedResponse", {
      page: example("`?limit=1`: one deletion, and there is more", {
        data: [DELETED],
        prev: null,
        next: `${BASE_URL}/api/deleted-responses?limit=1&starting_after=${DELETED.id}&cursor_time=${encodeURIComponent(DELETED.deleted_at)}`,
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
} satisfies OperationSchema;

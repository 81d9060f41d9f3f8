import Type from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { TIMESTAMP } from "../openapi/record.schema.ts";
import { listSchema, PAGE_PARAMETERS } from "../pagination/page.schema.ts";

const DeletedResponse = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 64, description: "The response that is deleted." }),
    deleted_at: Type.String({
      ...TIMESTAMP,
      description: "When: later than every updated_at and deleted_at that was visible before.",
    }),
  },
  { $id: "DeletedResponse" },
);

export const DELETION_SCHEMAS = [DeletedResponse, listSchema("DeletedResponse")];

const time = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

/** `deletion-parameters.ts` reads the parameters. */
export const listDeletionsSchema = {
  operationId: "listDeletedResponses",
  summary: "A page of the responses that are deleted now, in the order of their deletion.",
  querystring: Type.Object({
    ...PAGE_PARAMETERS,
    cursor_time: time(
      "The deleted_at of the cursor's record, as it was shown: the page then goes on exactly from there, also if the record was " +
        "imported and deleted again since. Only with a cursor.",
    ),
    deleted_at_min: time("Inclusive lower bound on deleted_at."),
    deleted_at_max: time("Inclusive upper bound on deleted_at."),
  }),
  response: {
    200: Type.Ref("DeletedResponseList#", { description: "The page." }),
    304: Type.Null({ description: "The page is the one whose entity tag was sent as If-None-Match." }),
    ...ERROR_ANSWERS,
  },
};

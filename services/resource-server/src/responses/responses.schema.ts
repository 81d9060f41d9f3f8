import { RESPONSE_FIELDS } from "@partner-connect/survey-data";
import Type, { type TOptional, type TSchema } from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { recordSchema, Timestamp } from "../openapi/record.schema.ts";
import { listSchema, PAGE_PARAMETERS } from "../pagination/page.schema.ts";
import { LEGACY_NAMES } from "./legacy-names.ts";
import { DEFAULT_SORT, SORTS } from "./sort.ts";

const Id = Type.String({ minLength: 1, maxLength: 64 });
const Response = recordSchema("Response", RESPONSE_FIELDS, {
  id: Id,
  inserted_at: Timestamp,
  updated_at: Timestamp,
});

export const RESPONSE_SCHEMAS = [Response, listSchema("Response")];

const time = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

const FILTERS = Object.fromEntries(
  ["inserted_at", "updated_at"].flatMap((column) => [
    [`${column}_min`, time(`Inclusive lower bound on ${column}.`)],
    [`${column}_max`, time(`Inclusive upper bound on ${column}.`)],
  ]),
);

const LEGACY: Record<string, TOptional<TSchema>> = Object.fromEntries(
  [...LEGACY_NAMES].map(([legacy, canonical]) => {
    const description = `Legacy name of ${canonical}, which wins where both are sent.`;
    return [legacy, Type.Optional(Type.String({ description, deprecated: true }))];
  }),
);

/** `list-parameters.ts` reads the parameters: each may be given once, and legacy names give way to canonical ones. */
export const listResponsesSchema = {
  operationId: "listResponses",
  summary: "A page of the shop's survey responses; or, as NDJSON or CSV, all of them.",
  querystring: Type.Object({
    ...PAGE_PARAMETERS,
    cursor_time: time(
      "The updated_at of the cursor's record, as it was shown. Under updated_at_* the page then goes on exactly from there, " +
        "however the record has changed since; without it records may repeat. Only with a cursor; ignored under inserted_at_*.",
    ),
    ...FILTERS,
    sort: Type.Optional(
      Type.Enum(Object.keys(SORTS), { default: DEFAULT_SORT, description: "The order; ties are broken by id." }),
    ),
    ...LEGACY,
  }),
  response: {
    200: {
      description: "The page, or everything that matches the filters from starting_after on.",
      content: {
        "application/json": { schema: Type.Ref("ResponseList#") },
        "application/x-ndjson": { schema: Type.String({ description: "One record a line." }) },
        "text/csv": { schema: Type.String({ description: "A header line, and one record a line (RFC 4180)." }) },
      },
    },
    304: Type.Null({ description: "The page is the one whose entity tag was sent as If-None-Match." }),
    ...ERROR_ANSWERS,
  },
};

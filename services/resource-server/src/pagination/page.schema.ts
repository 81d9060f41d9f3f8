import { BASE_URL } from "@partner-connect/public-api";
import Type, { type TSchema } from "typebox";
import { orNull } from "../openapi/record.schema.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "./page-parameters.ts";

/** The headers of every page, also of one that the caller has already (304). */
export const PAGE_HEADERS = [
  "x-request-id",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "etag",
  "cache-control",
  "vary",
];

/** What every list takes (`page-parameters.ts` reads it). */
export const pageParameters = (id: string) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
      description: "How many records a page has at most.",
      examples: [2],
    }),
  ),
  starting_after: Type.Optional(
    Type.String({
      description: "The page after the record with this id. A record that was changed or deleted since will do.",
      examples: [id],
    }),
  ),
  ending_before: Type.Optional(
    Type.String({
      description: "The page before the record with this id. Not together with `starting_after`.",
      examples: [id],
    }),
  ),
});

/** The envelope of every list. `record`: the component of its elements; `path`: of the list; `id`: of a record, for examples. */
export function listSchema(record: string, path: string, id: string): TSchema {
  const link = (description: string, cursor: string) =>
    orNull<string>("string", { format: "uri", description, examples: [`${BASE_URL}${path}?${cursor}=${id}`] });
  return Type.Object(
    {
      data: Type.Array(Type.Ref(`${record}#`), { description: "The records, in the order of the list." }),
      prev: link(
        "The page before this one, as an absolute URL with canonical names. Null exactly when no record precedes.",
        "ending_before",
      ),
      next: link(
        "The page after this one, as an absolute URL with canonical names. Null exactly when no record follows.",
        "starting_after",
      ),
    },
    { $id: `${record}List`, description: "One page." },
  );
}

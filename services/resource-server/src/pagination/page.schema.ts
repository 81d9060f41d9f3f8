import { BASE_URL } from "@partner-connect/public-api";
import { type Answer, COUNTED, type Examples, jsonAnswer, text } from "@partner-connect/public-api/document";
import Type, { type TSchema } from "typebox";
import { textOrNull } from "../openapi/record.schema.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "./limit-and-cursor.ts";

const PAGE_HEADERS = [...COUNTED, "etag", "cache-control", "vary"];

export const NOT_MODIFIED: Answer = {
  description: "The page is the one whose `etag` you sent as `If-None-Match`. No body.",
  headers: PAGE_HEADERS,
};

export const pageAnswers = (record: string, examples: Examples) => ({
  200: jsonAnswer(`${record}List`, "The page.", PAGE_HEADERS, examples),
  304: NOT_MODIFIED,
});

/** What every list takes (`limit-and-cursor.ts` reads limit and cursor). */
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
    text("The page after the record with this id. A record that was changed or deleted since will do.", id),
  ),
  ending_before: Type.Optional(
    text("The page before the record with this id. Not together with `starting_after`.", id),
  ),
});

export const timeFilters = (column: string, example: string) => {
  const bound = (side: string) =>
    timeParameter(
      `Only records whose \`${column}\` is at or ${side} this time: RFC 3339, with \`Z\` or any offset.`,
      example,
    );
  return { [`${column}_min`]: bound("after"), [`${column}_max`]: bound("before") };
};

export const timeParameter = (description: string, example: string) =>
  Type.Optional(text(description, example, { format: "date-time" }));

/** The envelope of every list. `record`: the component of its elements; `path`: of the list; `id`: of a record, for examples. */
export function listSchema(record: string, path: string, id: string): TSchema {
  const link = (description: string, cursor: string) =>
    textOrNull(description, `${BASE_URL}${path}?${cursor}=${id}`, { format: "uri" });
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

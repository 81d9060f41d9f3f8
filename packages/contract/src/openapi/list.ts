import Type, { type TSchema } from "typebox";
import { BASE_URL } from "./base.ts";
import { integer, text, textOrNull } from "./describe.ts";

/** The default and the maximum number of records per page. */
export const PAGE_LIMIT = { fallback: 100, most: 1000 };

export const limitParameter = (description: string, example: number) =>
  Type.Optional(
    integer([1, PAGE_LIMIT.most], {
      default: PAGE_LIMIT.fallback,
      description,
      examples: [example],
    }),
  );

/**
 * The parameters of every list. @param id a record's id, for the examples
 * @param changed what may have happened to a record whose id is still valid
 */
export const pageParameters = (id: string, changed = "changed or been deleted") => ({
  limit: limitParameter(
    "Maximum number of records per page. A page of large records also ends at 16 MB; continue with `next`.",
    2,
  ),
  starting_after: Type.Optional(
    text(
      `Returns the page after the record with this id, even if the record has since ${changed}.`,
      id,
    ),
  ),
  ending_before: Type.Optional(
    text(
      "Returns the page before the record with this id. Cannot be combined with `starting_after`.",
      id,
    ),
  ),
});

/**
 * The schema of a page of a list. @param path of the list @param id a record's id, for the examples
 * @throws Error if the record has no `$id`
 */
export function listSchema(record: TSchema, path: string, id: string): TSchema {
  const link = (description: string, cursor: string) =>
    textOrNull(description, `${BASE_URL}${path}?${cursor}=${id}`, { format: "uri" });
  const { $id } = record as { readonly $id?: string };
  if ($id === undefined) throw new Error("the record of a list has no $id");
  return Type.Object(
    {
      data: Type.Array(record, { description: "The records, in the order of the list." }),
      prev: link(
        "The page before this one, as an absolute URL with canonical names. Null if no record precedes this page.",
        "ending_before",
      ),
      next: link(
        "The page after this one, as an absolute URL with canonical names. Null if no record follows this page.",
        "starting_after",
      ),
    },
    { $id: `${$id}List`, description: "One page." },
  );
}

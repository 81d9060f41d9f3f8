import Type, { type TSchema } from "typebox";
import { BASE_URL } from "../served-document.ts";
import { text, textOrNull } from "./described.ts";

/** Records of a page, of every list. */
export const PAGE_LIMIT = { fallback: 100, most: 1000 };

/** What every list takes. */
export const pageParameters = (id: string) => ({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT.most,
      default: PAGE_LIMIT.fallback,
      description:
        "How many records a page has at most. A page of large records also ends at 16 MB; `next` then leads on.",
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

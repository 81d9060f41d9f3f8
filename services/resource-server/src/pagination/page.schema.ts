import Type, { type TSchema } from "typebox";
import { orNull } from "../openapi/record.schema.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "./page-parameters.ts";

/** What every list takes (`page-parameters.ts` reads it). */
export const PAGE_PARAMETERS = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT, description: "Page size." }),
  ),
  starting_after: Type.Optional(Type.String({ description: "The page after the record with this id." })),
  ending_before: Type.Optional(
    Type.String({ description: "The page before the record with this id. Not together with starting_after." }),
  ),
};

const Link = orNull<string>("string", {
  description: "Absolute URL, in canonical parameter names; null at the end.",
});

/** The envelope of every list. `record` is the name of the component that each element is. */
export function listSchema(record: string): TSchema {
  return Type.Object({ data: Type.Array(Type.Ref(`${record}#`)), prev: Link, next: Link }, { $id: `${record}List` });
}

import { COUNTED, type Examples, jsonAnswer, listSchema } from "@partner-connect/contract/openapi";

/** A page of the list at `path`, of records that `record` describes. `id`: of one, for the examples. */
export const pageAnswer = (...[record, path, id, examples]: [...Parameters<typeof listSchema>, Examples]) =>
  jsonAnswer(
    listSchema(record, path, id),
    "The page.",
    [...COUNTED, "cache-control", "vary", "x-ignored-parameters"],
    examples,
  );

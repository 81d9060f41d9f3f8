import { COUNTED, type Examples, jsonAnswer, listSchema } from "@partner-connect/contract/openapi";

/** The answer with a page of the list at `path`. `id` is used in the examples. */
export const pageAnswer = (...[record, path, id, examples]: [...Parameters<typeof listSchema>, Examples]) =>
  jsonAnswer(
    listSchema(record, path, id),
    "The page.",
    [...COUNTED, "cache-control", "vary", "x-ignored-parameters"],
    examples,
  );

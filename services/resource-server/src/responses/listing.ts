import type { FastifyRequest } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import { ApiError } from "../errors/api-error.ts";
import { type QueryParameters, readQuery } from "../http/query-string.ts";
import { type MovingList, walksOf } from "../position-memory/position-memory.ts";
import { chooseExport, type ExportFormat } from "./export/format.ts";
import { type ListParameters, readListParameters } from "./parameters/list-parameters.ts";
import { isAscending, SORTS } from "./parameters/sort.ts";

export interface Listing {
  readonly parameters: ListParameters;
  /** Under the names that the caller sent. */
  readonly sent: QueryParameters;
  /** Everything that matches, in a format that `Accept` asks for; null: one page of JSON. */
  readonly format: ExportFormat | null;
}

/** The listing that the request asks for, or the refusal of its parameters: a value, as a caller who may not call is told that first. */
export function parseListing({ url, headers }: FastifyRequest): Listing | ApiError {
  try {
    const sent = readQuery(url);
    return { parameters: readListParameters(sent), sent, format: chooseExport(headers.accept) };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The listing as the memory of positions sees it. By `inserted_at`, which only an import changes, nothing is remembered. */
export function movingList(caller: Caller, { cursor, sort, ranges, only }: ListParameters): MovingList {
  const isRemembered = SORTS[sort].column === "updated_at";
  return {
    cursor,
    isAscending: isAscending(sort, cursor),
    walks: isRemembered ? walksOf(caller, sort, { ...ranges, ...only }) : null,
  };
}

import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors/api-error.ts";
import { readQuery } from "../http/query-string.ts";
import type { PositionMemory, Start } from "../position-memory/position-memory.ts";
import { chooseExport, type ExportFormat } from "./export/format.ts";
import { movingList } from "./moving-list.ts";
import { type ListParameters, readListParameters } from "./parameters/list-parameters.ts";

/** One page of JSON. */
export interface PageListing {
  readonly kind: "page";
  readonly parameters: ListParameters;
  /** Where it starts. It is asked for already. */
  readonly start: Promise<Start>;
}

/** Everything that matches, in a format that `Accept` asks for. */
export interface ExportListing {
  readonly kind: "export";
  readonly parameters: ListParameters;
  readonly format: ExportFormat;
}

/** A parsed request for the list. */
export type Listing = PageListing | ExportListing;

/**
 * The listing that the request asks for, or the refusal of its parameters. That is a value, as it is not the first thing to be
 * told: a caller who may not call at all is told so.
 */
export function parseListing(request: FastifyRequest, positions: PositionMemory): Listing | ApiError {
  try {
    const parameters = readListParameters(readQuery(request.url));
    const format = chooseExport(request.headers.accept);
    if (format) return { kind: "export", parameters, format };
    const start = positions.startOf(movingList(request.caller, parameters));
    start.catch(() => {}); // the handler, which awaits it later, gets the failure
    return { kind: "page", parameters, start };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

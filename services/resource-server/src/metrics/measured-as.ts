import type { FastifyRequest } from "fastify";
import { ApiError } from "../errors/api-error.ts";

/** An export takes as long as its reader likes, so it is measured apart from the pages of its route. */
export function measuredAs({ listing, routeOptions }: FastifyRequest): string | undefined {
  const isExport = listing && !(listing instanceof ApiError) && listing.format !== null;
  return isExport ? `${routeOptions.url} export` : routeOptions.url;
}

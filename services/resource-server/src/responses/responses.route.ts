import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { unavailable } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { readListParameters, withoutOverriddenNames } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import { PATH, schema } from "./responses.schema.ts";
import { findShownPosition, storeShownPositions } from "./shown-positions.ts";

/**
 * Spec, GET /api/responses. The page's edges are stored before it is sent, because the next request
 * may go to another replica.
 */
export function responsesRoute(app: FastifyInstance): void {
  const { pages, optionalRedis } = app;
  app.withTypeProvider<TypeBoxTypeProvider>().get(
    PATH,
    {
      config: { scope: "responses:read" },
      schema,
      // After `validateRequests` has set all sent values, before the schema takes one of each.
      preValidation: (request, _reply, done) => {
        request.query = withoutOverriddenNames(request.sentParameters) as typeof request.query;
        done();
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const parameters = readListParameters(request.query);
      const { cursor, sort, sortTime } = parameters;
      const keepsPositions = sortTime === "updated_at";
      // The cursor's record may have changed since, so it means the position where it was shown.
      const isByIdAlone = keepsPositions && cursor !== null && cursor.time === undefined;
      const shownTime = isByIdAlone
        ? await findShownPosition(optionalRedis, caller, sort, cursor.id)
        : (cursor?.time ?? null);
      // The statement also judges the caller: `read` throws its 401 or 403 (caller-state.query.ts).
      const page = await pages.read(listResponsesSql(caller, parameters, shownTime), parameters);
      if (keepsPositions && page.edges) {
        const isStored = await storeShownPositions(optionalRedis, caller, sort, page.edges);
        // If the positions aren't stored, a caller that pages by id alone could skip records. A first
        // page, or one with `cursor_time`, is sent.
        if (!isStored && isByIdAlone) throw unavailable("positions_unavailable");
      }
      return await pages.send(request, reply, page);
    },
  );
}

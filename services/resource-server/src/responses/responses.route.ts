import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { unavailable } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { readListParameters, withoutOverriddenNames } from "./list-parameters.ts";
import { listResponsesSql } from "./list-responses.query.ts";
import { PATH, schema } from "./responses.schema.ts";
import { findShownTime, storeShownTimes } from "./shown-positions.ts";

/**
 * GET /api/responses. The page's edges are stored before it is sent, because the next request
 * may go to another replica.
 */
export function responsesRoute(app: FastifyInstance): void {
  const { pages, optionalRedis } = app;
  app.withTypeProvider<TypeBoxTypeProvider>().get(
    PATH,
    {
      config: { scope: "responses:read" },
      schema,
      // Before the validator, which wants one value per name; `sentParameters` has all of them.
      preValidation: (request, _reply, done) => {
        request.query = withoutOverriddenNames(request.sentParameters) as typeof request.query;
        done();
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const sent = readListParameters(request.query);
      const { cursor, sort, sortTime } = sent;
      const keepsShownTimes = sortTime === "updated_at";
      // The cursor's record may have been updated since, so continue from where the caller saw it.
      const isByIdAlone = keepsShownTimes && cursor !== null && cursor.time === undefined;
      const time = isByIdAlone
        ? await findShownTime(optionalRedis, caller, sort, cursor.id)
        : undefined;
      const parameters = isByIdAlone ? { ...sent, cursor: { ...cursor, time } } : sent;
      // The statement also judges the caller: `read` throws its 401 or 403 (caller-state.query.ts).
      const page = await pages.read(listResponsesSql(caller, parameters), parameters);
      if (keepsShownTimes && page.edges) {
        const isStored = await storeShownTimes(optionalRedis, caller, sort, page.edges);
        // Without these times a caller that pages by id only could skip records. Other callers get
        // the page, because its links carry `cursor_time`.
        if (!isStored && isByIdAlone) throw unavailable("positions_unavailable");
      }
      return await pages.send(request, reply, page);
    },
  );
}

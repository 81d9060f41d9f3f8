import type { ActivityCounters } from "@partner-connect/connections/activity";
import { TOKEN_PATH } from "@partner-connect/public-api";
import { factsOf } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";

/** Counts what came of each client's token requests. A request over the limit is nobody's: it is refused before its client is known. */
export function countActivity(app: FastifyInstance, activity: ActivityCounters): void {
  app.addHook("onResponse", (request, { statusCode }, done) => {
    const { clientId, grantType, reason = `status_${statusCode}` } = factsOf(request);
    if (clientId !== undefined && request.routeOptions.url === TOKEN_PATH) {
      if (statusCode === 200) activity.add(clientId, grantType === "refresh_token" ? "refreshes" : "exchanges");
      else activity.add(clientId, statusCode >= 500 ? "token_failed" : "token_refused", reason);
    }
    done();
  });
}

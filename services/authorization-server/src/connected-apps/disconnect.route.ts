import type { FastifyInstance } from "fastify";
import { redirectTo } from "../merchant-page/frame/send-merchant-page.ts";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";
import type { ConnectedAppsContext } from "./connected-apps-context.ts";
import { disconnect } from "./disconnect.ts";
import { showDisconnectPage } from "./disconnect-page.ts";
import { DISCONNECT_PATTERN, disconnectPath } from "./disconnect-path.ts";
import { type OwnConnection, ownConnectionStep } from "./own-connection.ts";

/** A page that asks for confirmation, then the revocation (spec: revocation on the service side). */
export function disconnectRoute(app: FastifyInstance, context: ConnectedAppsContext): void {
  app.get(
    DISCONNECT_PATTERN,
    ownConnectionStep(context, (request, reply, own) => {
      const isDone = own.connection.status === "revoked";
      return isDone ? redirectTo(reply, donePath(own)) : showDisconnectPage(context, request, reply, own);
    }),
  );

  app.post(
    DISCONNECT_PATTERN,
    ownConnectionStep(context, async (request, reply, own) => {
      const isOurForm = context.formTokens.isValid(request, disconnectPath(own.shop.id, own.connection.id));
      if (!isOurForm) return showDisconnectPage(context, request, reply, own, "out_of_date");
      await disconnect(context.sql, request, own);
      return redirectTo(reply, donePath(own));
    }),
  );
}

function donePath({ connection }: OwnConnection): string {
  return `${CONNECTED_APPS_PATH}?disconnected=${connection.id}`;
}

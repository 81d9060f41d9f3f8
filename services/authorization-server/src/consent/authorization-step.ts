import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuthorizationRequest } from "../authorization-request.ts";
import { isRegisteredRedirectUri } from "../clients/registered-redirect-uri.ts";
import { errorPage } from "../pages/error-page.ts";
import { browserSecrets } from "../pages/form-token.ts";
import { preferLanguages } from "../pages/send-merchant-page.ts";
import { authorizationPath } from "./authorization-paths.ts";
import type { ConsentContext } from "./consent-context.ts";
import { type OpenAuthorization, openRequest, sealRequest } from "./sealed-request.ts";

/** Seals a valid request for this browser, and returns the path of the page where the merchant continues. */
export function beginAuthorization(
  publicBaseUrl: string,
): (reply: FastifyReply, asked: AuthorizationRequest) => string {
  const browsers = browserSecrets(publicBaseUrl);
  return (reply, asked) => authorizationPath({ sealed: sealRequest(browsers.readOrCreate(reply), asked) });
}

/** The authorization request that the URL carries; null if this browser didn't begin it, or its time is over. */
export function openedRequest({ browsers }: ConsentContext, request: FastifyRequest): ReturnType<typeof openRequest> {
  const { request: sealed } = request.query as { readonly request?: unknown };
  const secret = browsers.read(request);
  return secret !== null && typeof sealed === "string" ? openRequest(secret, sealed) : null;
}

type Step = (reply: FastifyReply, authorization: OpenAuthorization) => FastifyReply | Promise<FastifyReply>;

/**
 * One step of an authorization: if this browser began it in time, and the client still is active and has the redirect URI. Else a page says
 * why not.
 */
export function authorizationStep(context: ConsentContext, step: Step) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const opened = openedRequest(context, request);
    if (!opened) return endedPage(reply);
    preferLanguages(request, opened.hints.uiLocales);
    const client = await context.findClient(opened.clientId);
    const refuse = (kind: "invalid_link" | "client_disabled", developerDetail?: string) =>
      errorPage(reply, { status: 400, kind, client, developerDetail });
    if (client) noteFacts(request, { clientId: client.clientId });
    if (!client) return refuse("invalid_link", "client_id is not registered");
    if (client.status !== "active") return refuse("client_disabled");
    if (!isRegisteredRedirectUri(opened.redirectUri, client.redirectUris)) {
      return refuse("invalid_link", "the redirect URI is no longer registered");
    }
    return await step(reply, { ...opened, client });
  };
}

/** The same page for an authorization that never existed, so that a URL from another browser discloses nothing. */
function endedPage(reply: FastifyReply): FastifyReply {
  return errorPage(reply, { status: 404, kind: "ended" });
}

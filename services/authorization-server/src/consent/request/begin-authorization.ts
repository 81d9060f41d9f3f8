import type { FastifyReply, FastifyRequest } from "fastify";
import { browserSecrets } from "../../merchant-page/forms/browser-secret.ts";
import { authorizationPath } from "./authorization-paths.ts";
import { type AskedAuthorization, sealRequest } from "./sealed-request.ts";

/** Seals a valid request for this browser, and returns the path of the page where the merchant continues. */
export type BeginAuthorization = (request: FastifyRequest, reply: FastifyReply, asked: AskedAuthorization) => string;

export function beginAuthorization(publicBaseUrl: string): BeginAuthorization {
  const browsers = browserSecrets(publicBaseUrl);
  return (request, reply, asked) =>
    authorizationPath({ sealed: sealRequest(browsers.readOrCreate(request, reply), asked) });
}

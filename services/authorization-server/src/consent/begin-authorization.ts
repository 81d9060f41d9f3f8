import type { FastifyReply, FastifyRequest } from "fastify";
import { browserSecret } from "../merchant-page/browser-secret.ts";
import { merchantCookies } from "../merchant-page/merchant-cookie.ts";
import { authorizationPath } from "./authorization-paths.ts";
import { type AskedAuthorization, sealRequest } from "./sealed-request.ts";

/** Puts a valid request into the hands of this browser, and says where the merchant goes on: a page of ours, relative. */
export type BeginAuthorization = (request: FastifyRequest, reply: FastifyReply, asked: AskedAuthorization) => string;

export function beginAuthorization(publicBaseUrl: string): BeginAuthorization {
  const cookies = merchantCookies(publicBaseUrl);
  return (request, reply, asked) =>
    authorizationPath({ sealed: sealRequest(browserSecret(cookies, request, reply), asked) });
}

import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { useProductKey } from "@partner-connect/directory";
import {
  headerValues,
  noCredential,
  noteFacts,
  refusedCredential,
} from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    productKeyId?: string;
    /** `product:` and the name of the presented key. */
    actor: Actor;
  }
  interface FastifyContextConfig {
    /** True if the route needs no product key. */
    readonly needsNoKey?: boolean;
  }
}

const BEARER = /^Bearer(?: |$)/i;
const KEY = /^Bearer +(pcp_[A-Za-z0-9_-]{43})$/i;

/**
 * Requires a product key as the bearer token. The key is looked up for each request, so a
 * revocation takes effect at once. @throws {ApiError} 401
 */
export function authenticate(app: FastifyInstance, sql: Sql): void {
  app.decorateRequest("productKeyId");
  app.decorateRequest("actor");
  app.addHook("onRequest", async (request) => {
    if (!request.is404 && !request.routeOptions.config.needsNoKey) await requireKey(sql, request);
  });
}

/** Requires a valid product key. A long poll checks the key again. @throws {ApiError} 401 */
export async function requireKey(sql: Sql, request: FastifyRequest): Promise<void> {
  const values = headerValues(request.raw.rawHeaders, "authorization");
  const presented = values.length === 1 ? KEY.exec(values[0] ?? "")?.[1] : undefined;
  const key = presented === undefined ? null : await useProductKey(sql, presented);
  if (!key && !values.some((value) => BEARER.test(value))) throw noCredential();
  if (!key)
    throw refusedCredential(
      presented === undefined ? "malformed_credential" : "unknown_product_key",
    );
  noteFacts(request, { productKeyId: key.id });
  if (key.revokedAt) throw refusedCredential("revoked_product_key");
  request.productKeyId = key.id;
  request.actor = { name: `product:${key.name}`, ip: request.ip, requestId: request.id };
}

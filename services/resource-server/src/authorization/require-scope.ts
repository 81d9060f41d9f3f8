import type { Scope } from "@partner-connect/contract";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import { insufficientScope } from "../errors/api-error.ts";

/**
 * Checks the access token's scope before the body is read: `insufficient_scope` (guides/plans.md).
 * The route's SQL statement checks the connection's scope and the shop's plan
 * (`caller-state.query.ts`). An API key has no scopes; the shop's plan decides.
 */
export function requireScope(app: FastifyInstance): void {
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { scope } = request.routeOptions.config;
    done(
      scope && !allowsScope(request.caller, scope) ? insufficientScope("token_lacks_scope") : null,
    );
  });
}

function allowsScope(caller: Caller, scope: RequiredScope): boolean {
  return scope === "any" || caller.kind === "api_key" || caller.scope.includes(scope);
}

/** The scope that a route requires; `any` requires only a valid credential. */
export type RequiredScope = Scope | "any";

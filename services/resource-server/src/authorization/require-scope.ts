import { SCOPES, type Scope } from "@partner-connect/contract";
import type { FastifyInstance } from "fastify";
import type { Caller } from "../authentication/caller.ts";
import { insufficientScope } from "../errors/api-error.ts";

/**
 * `insufficient_scope` (spec, Scopes). The access token must have the route's scope, which is checked here, before the body is read. The
 * connection and the shop's plan must have it too: the database judges them with the data (`caller-state.query.ts`). An API key has no
 * scopes of its own.
 */
export function requireScope(app: FastifyInstance): void {
  app.addHook("preParsing", (request, _reply, _payload, done) => {
    const { scope } = request.routeOptions.config;
    done(scope && !namesScope(request.caller, scope) ? insufficientScope("token_lacks_scope") : null);
  });
}

function namesScope(caller: Caller, scope: RequiredScope): boolean {
  return scope === "any" || caller.kind === "api_key" || caller.scope.includes(scope);
}

/** What a route needs of a credential: a scope, or `any`: one that is valid, whatever its scopes, also if it has none by now. */
export type RequiredScope = Scope | "any";

/** What of `scope` is left to a caller by `others`: a space-delimited list, in the scopes' own order. */
export function commonScope(...lists: readonly (readonly string[])[]): string {
  return SCOPES.filter((scope) => lists.every((list) => list.includes(scope))).join(" ");
}

import { SCOPES, type Scope } from "@partner-connect/contract";

/** What a route needs of a credential: a scope, or `any`: one that is valid, whatever its scopes, also if it has none by now. */
export type RequiredScope = Scope | "any";

/** What of `scope` is left to a caller by `others`: a space-delimited list, in the scopes' own order. */
export function commonScope(...lists: readonly (readonly string[])[]): string {
  return SCOPES.filter((scope) => lists.every((list) => list.includes(scope))).join(" ");
}

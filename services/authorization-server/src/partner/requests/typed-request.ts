import { SCOPES } from "@partner-connect/contract";
import type { ClientSummary } from "@partner-connect/directory";
import { formField } from "../../merchant-page/forms/form-token.ts";

/** What the form of a request says. */
export interface TypedRequest {
  readonly name: string;
  /** Redirect URIs, a line each. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly scope: readonly string[];
  readonly logo?: Buffer;
}

/** The form as it is before anything is typed: it asks for nothing. */
export function asIs({ name, scope }: ClientSummary): TypedRequest {
  return { name, added: [], removed: [], scope };
}

export function typedIn(body: unknown): TypedRequest {
  const lines = formField(body, "add").split("\n");
  const names = Object.keys(body ?? {});
  const logo = (body as { readonly logo?: unknown } | null)?.logo;
  return {
    name: formField(body, "name"),
    added: lines.map((line) => line.trim()).filter((line) => line !== ""),
    removed: names.filter((name) => name.startsWith("remove.")).map((name) => formField(body, name)),
    scope: SCOPES.filter((scope) => formField(body, `scope.${scope}`) !== ""),
    ...(Buffer.isBuffer(logo) && { logo }),
  };
}

import { isDeepStrictEqual } from "node:util";
import { DirectoryError } from "../directory-error.ts";
import { displayName } from "../display-name.ts";
import type { ClientIdentity } from "./client-identity.ts";
import { requireIdentity } from "./client-identity.ts";
import { logoDigest } from "./client-logo.ts";
import type { ClientSummary } from "./client-row.ts";
import { requireRedirectUris, requireScope } from "./client-rules.ts";
import { logoPath } from "./logo-path.ts";

/** What an operator changes of a client. What is left out stays; null takes it away. */
export interface ClientUpdate extends Partial<ClientIdentity> {
  readonly name?: string | undefined;
  readonly addRedirectUris?: readonly string[] | undefined;
  readonly removeRedirectUris?: readonly string[] | undefined;
  /** All scopes that it may request from now on. */
  readonly scope?: readonly string[] | undefined;
  /** A WebP image of at most 64 KB. */
  readonly logo?: Buffer | null | undefined;
  /** The new name may be another active client's too. */
  readonly allowDuplicateName?: boolean | undefined;
}

/** The client as it is after the update. @throws {DirectoryError} for what can't be registered */
export function updatedClient(client: ClientSummary, update: ClientUpdate): ClientSummary {
  const identity = requireIdentity(update);
  const { logo } = update;
  return {
    ...client,
    name: update.name === undefined ? client.name : displayName(update.name, "client"),
    redirectUris: redirectUrisAfter(client.redirectUris, update),
    scope: update.scope === undefined ? client.scope : requireScope(update.scope),
    publisher: identity.publisher === undefined ? client.publisher : identity.publisher,
    website: identity.website === undefined ? client.website : identity.website,
    privacyPolicy: identity.privacyPolicy === undefined ? client.privacyPolicy : identity.privacyPolicy,
    logoPath: logo === undefined ? client.logoPath : logo && logoPath(client.clientId, logoDigest(logo)),
  };
}

/** What differs, for the audit log: the value before and the value after, by field. Empty: nothing. */
export function changesOf(before: ClientSummary, after: ClientSummary): Record<string, { from: unknown; to: unknown }> {
  const fields = {
    name: "name",
    redirect_uris: "redirectUris",
    scope: "scope",
    publisher: "publisher",
    website: "website",
    privacy_policy: "privacyPolicy",
    logo: "logoPath",
  } as const;
  const changes = Object.entries(fields).map(([name, key]) => [name, { from: before[key], to: after[key] }] as const);
  return Object.fromEntries(changes.filter(([, { from, to }]) => !isDeepStrictEqual(from, to)));
}

function redirectUrisAfter(registered: readonly string[], update: ClientUpdate): readonly string[] {
  const { addRedirectUris: added = [], removeRedirectUris: removed = [] } = update;
  const refuse = (uri: string, problem: string) =>
    new DirectoryError("INVALID_REDIRECT_URI", `the redirect URI ${JSON.stringify(uri)} ${problem}`);
  for (const uri of removed) {
    if (!registered.includes(uri)) throw refuse(uri, "is not registered; each is named byte for byte");
    if (added.includes(uri)) throw refuse(uri, "can't be added and removed at once");
  }
  const kept = registered.filter((uri) => !removed.includes(uri));
  // Those that stay may be older than today's rules.
  return added.length > 0 || kept.length === 0 ? [...new Set([...kept, ...requireRedirectUris(added)])] : kept;
}

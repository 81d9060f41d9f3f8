import type { Scope } from "@partner-connect/contract";
import type { ClientSummary } from "../clients/client-row.ts";
import { type ClientUpdate, updatedClient } from "../clients/update-client.ts";
import { DirectoryError } from "../directory-error.ts";

/** What a partner asks to change of its client. What is left out stays. */
export interface AskedUpdate {
  readonly name?: string | undefined;
  readonly addRedirectUris?: readonly string[] | undefined;
  readonly removeRedirectUris?: readonly string[] | undefined;
  /** All scopes that it wants to be able to request. */
  readonly scope?: readonly string[] | undefined;
  /** A PNG or WebP file, as it is: it is decoded when an operator has it shown or approves it. */
  readonly logo?: Buffer | undefined;
}

/** The difference that an operator decides about, as it is stored. What is absent stays. */
export interface RequestedChanges {
  readonly name?: { readonly from: string; readonly to: string };
  readonly redirect_uris?: Difference<string>;
  readonly scope?: Difference<Scope>;
  /** Another logo. `from`: the path of the one before; null: none. */
  readonly logo?: { readonly from: string | null };
}

interface Difference<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

/**
 * The difference between the client and what is asked for.
 * @throws {DirectoryError} NOTHING_ASKED, and what `updatedClient` throws
 */
export function requestedChanges(client: ClientSummary, asked: AskedUpdate): RequestedChanges {
  const { logo, ...update } = asked;
  const after = updatedClient(client, update);
  const uris = differenceOf(client.redirectUris, after.redirectUris);
  const scope = differenceOf(client.scope, after.scope);
  const changes = {
    ...(after.name !== client.name && { name: { from: client.name, to: after.name } }),
    ...(uris && { redirect_uris: uris }),
    ...(scope && { scope }),
    ...(logo && { logo: { from: client.logoPath } }),
  };
  if (Object.keys(changes).length === 0) throw new DirectoryError("NOTHING_ASKED", "the client is like this already");
  return changes;
}

function differenceOf<T>(before: readonly T[], after: readonly T[]): Difference<T> | null {
  const added = after.filter((value) => !before.includes(value));
  const removed = before.filter((value) => !after.includes(value));
  return added.length + removed.length === 0 ? null : { added, removed };
}

/**
 * The update that carries the difference out. It is the same difference only while the client has what would be removed, and lacks what
 * would be added.
 * @throws {DirectoryError} REQUEST_OUTDATED
 */
export function requestedUpdate(
  client: ClientSummary,
  { name, redirect_uris, scope, logo }: RequestedChanges,
): ClientUpdate {
  const isOutdated =
    (name && name.from !== client.name) ||
    (redirect_uris && !applies(client.redirectUris, redirect_uris)) ||
    (scope && !applies(client.scope, scope)) ||
    (logo && logo.from !== client.logoPath);
  if (isOutdated) {
    const problem = "the client has changed since this was asked for, so it is no longer the difference that was shown";
    throw new DirectoryError("REQUEST_OUTDATED", problem);
  }
  const kept = client.scope.filter((value) => !scope?.removed.includes(value));
  return {
    name: name?.to,
    addRedirectUris: redirect_uris?.added,
    removeRedirectUris: redirect_uris?.removed,
    scope: scope && [...kept, ...scope.added],
  };
}

function applies<T>(present: readonly T[], { added, removed }: Difference<T>): boolean {
  return removed.every((value) => present.includes(value)) && !added.some((value) => present.includes(value));
}

import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS, type Scope } from "@partner-connect/contract";
import type { ClientSummary } from "@partner-connect/directory";
import type { Config } from "../../run/config.ts";
import { countOf } from "../../terminal/progress.ts";
import type { ConnectionCounts } from "./connection-counts.ts";

/** What an update does: a sentence each. `narrows`: it takes something away that connections or merchants use. */
export interface UpdateEffects {
  readonly narrows: boolean;
  readonly effects: readonly string[];
}

export function updateEffects(
  before: ClientSummary,
  after: ClientSummary,
  counts: ConnectionCounts,
  config: Pick<Config, "accessTokenTtlSeconds">,
): UpdateEffects {
  const removed = before.redirectUris.filter((uri) => !after.redirectUris.includes(uri));
  const lost = before.scope.filter((scope) => !after.scope.includes(scope));
  const added = after.redirectUris.filter((uri) => !before.redirectUris.includes(uri));
  const gained = after.scope.filter((scope) => !before.scope.includes(scope));
  return {
    narrows: removed.length > 0 || lost.length > 0,
    effects: [
      ...removed.map((uri) => removedUri(uri, counts)),
      ...lost.map((scope) => lostScope(scope, counts, config)),
      ...leftWithNothing(lost, after, counts),
      ...added.map((uri) => `Adds the redirect URI ${uri}.`),
      ...gained.map((scope) => gainedScope(scope, counts)),
      ...renamed(before, after),
      ...choice(before, after),
      ...identity(before, after),
    ],
  };
}

function removedUri(uri: string, counts: ConnectionCounts): string {
  const came = counts.connectedOnes(({ redirectUri }) => redirectUri === uri);
  const stay = came === 0 ? "no connection" : countOf(came, "connection");
  const go = came === 0 ? "" : came === 1 ? "It goes on working. " : "They go on working. ";
  return `Removes the redirect URI ${uri}, which ${stay} came by. ${go}Nobody can connect by it again, and authorizations under way end.`;
}

/** The resource server looks at a token's scope and its connection's, and not at the client's, which counts at a refresh. */
function lostScope(scope: Scope, counts: ConnectionCounts, config: Pick<Config, "accessTokenTtlSeconds">): string {
  const having = counts.connectedOnes((alike) => alike.scope.includes(scope));
  if (having === 0) return `Takes ${scope} away, which no connection has.`;
  const minutes = Math.ceil((config.accessTokenTtlSeconds ?? DEFAULT_ACCESS_TOKEN_TTL_SECONDS) / 60);
  const lose = having === 1 ? "has, and loses at its" : "have, and lose at their";
  return `Takes ${scope} away, which ${countOf(having, "connection")} ${lose} next refresh: in ${countOf(minutes, "minute")} at most.`;
}

function leftWithNothing(lost: readonly Scope[], after: ClientSummary, counts: ConnectionCounts): string[] {
  if (lost.length === 0) return [];
  const empty = counts.connectedOnes(({ scope }) => !scope.some((value) => after.scope.includes(value)));
  if (empty === 0) return [];
  return [
    `${countOf(empty, "connection")} ${empty === 1 ? "has" : "have"} no scope left then: every call of the API is refused.`,
  ];
}

function gainedScope(scope: Scope, counts: ConnectionCounts): string {
  const waiting = counts.connectedOnes((alike) => !alike.scope.includes(scope));
  if (waiting === 0) return `Adds ${scope}.`;
  const get = waiting === 1 ? "gets it only when its merchant approves" : "get it only when their merchants approve";
  return `Adds ${scope}: ${countOf(waiting, "connection")} ${get} again.`;
}

function renamed(before: ClientSummary, after: ClientSummary): string[] {
  return before.name === after.name ? [] : [`Merchants see the name ${after.name} instead of ${before.name}.`];
}

function choice(before: ClientSummary, after: ClientSummary): string[] {
  if (before.optionalScope.join() === after.optionalScope.join()) return [];
  const scope = after.optionalScope.join(" and ");
  return [scope ? `Lets merchants leave out ${scope}.` : "Lets merchants leave nothing out."];
}

function identity(before: ClientSummary, after: ClientSummary): string[] {
  const said = [
    ["publisher", before.publisher, after.publisher],
    ["website", before.website, after.website],
    ["privacy policy", before.privacyPolicy, after.privacyPolicy],
    ["contact", before.contact, after.contact],
  ] as const;
  const changed = said.filter(([, from, to]) => from !== to);
  const sentences = changed.map(([what, , to]) =>
    to === null ? `Says no ${what} any more.` : `Says the ${what} ${to}.`,
  );
  if (before.verifiedAt?.getTime() !== after.verifiedAt?.getTime()) {
    sentences.push(after.verifiedAt === null ? "Says no more that we vouch for it." : "Says that we vouch for it.");
  }
  if (before.logoPath === after.logoPath) return sentences;
  return [...sentences, after.logoPath === null ? "Takes the logo away." : "Shows another logo."];
}

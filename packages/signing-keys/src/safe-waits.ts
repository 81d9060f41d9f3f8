import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/contract";
import type { KnowingReport, PublishingReport } from "./keys-report.ts";
import { CLOCK_SKEW_SECONDS, JWKS_MAX_AGE_SECONDS, KEYS_SPREAD_SECONDS, type SigningKey } from "./signing-key.ts";

/** What the replicas said that were asked. */
export interface AskedReplicas {
  readonly authorizationServers: readonly (PublishingReport & { readonly name: string })[];
  readonly resourceServers: readonly (KnowingReport & { readonly name: string })[];
  /** Those that could not be asked. Nobody knows what they publish. */
  readonly silent: readonly { readonly name: string; readonly problem: string }[];
}

export const NOBODY_ASKED: AskedReplicas = { authorizationServers: [], resourceServers: [], silent: [] };

export interface Obstacle {
  readonly reason: string;
  /** How long it lasts; null: until the replica says something else. */
  readonly seconds: number | null;
}

/** What an announced key waits for: no verifier may meet a token of a key that it can't have. */
export function beforeActivation(key: SigningKey, now: Date, asked: AskedReplicas): Obstacle[] {
  const { authorizationServers, resourceServers } = asked;
  const lacking = authorizationServers.filter(({ published }) => !published.includes(key.kid));
  const unaware = resourceServers.filter(({ known }) => !known.includes(key.kid));
  const named = [
    ...couldNotAsk(asked),
    ...lacking.map(({ name, keys_file_problem }) =>
      until(`${name} does not publish it${keys_file_problem === null ? "" : `, as ${keys_file_problem}`}`),
    ),
    ...unaware.map(({ name }) => until(`${name} does not know it yet`)),
  ];
  if (named.length > 0 || (authorizationServers.length > 0 && resourceServers.length > 0)) return named;
  const maxAge = Math.max(JWKS_MAX_AGE_SECONDS, ...authorizationServers.map((each) => each.jwks_max_age_seconds));
  if (authorizationServers.length > 0) {
    const since = Math.min(...authorizationServers.map(({ published_seconds }) => published_seconds[key.kid] ?? 0));
    return obstacle(
      maxAge - since,
      `the last replica publishes it for ${since} s, and a JWKS without it may be cached for ${maxAge} s`,
    );
  }
  return obstacle(
    KEYS_SPREAD_SECONDS + maxAge - secondsBetween(key.announcedAt, now),
    `it was announced less than ${KEYS_SPREAD_SECONDS} + ${maxAge} s ago, in which every authorization server reads the file and every cached JWKS ends`,
  );
}

export interface RetirementOptions {
  /** Default: what the authorization servers say; else 900, the spec's. The longest counts. */
  readonly accessTokenTtlSeconds?: number;
  /** Default: 60. */
  readonly clockSkewSeconds?: number;
}

/** What a retiring key waits for: its last token may still be shown. */
export function beforeRetirement(
  key: SigningKey,
  now: Date,
  asked: AskedReplicas,
  { accessTokenTtlSeconds, clockSkewSeconds = CLOCK_SKEW_SECONDS }: RetirementOptions,
): Obstacle[] {
  const { authorizationServers } = asked;
  const lifetimes = authorizationServers.map((each) => each.access_token_ttl_seconds);
  if (accessTokenTtlSeconds !== undefined) lifetimes.push(accessTokenTtlSeconds);
  const ttl = lifetimes.length > 0 ? Math.max(...lifetimes) : DEFAULT_ACCESS_TOKEN_TTL_SECONDS;
  const signing = authorizationServers.filter(({ active }) => active === key.kid);
  const named = [
    ...couldNotAsk(asked),
    ...signing.map(({ name, keys_file_problem }) =>
      until(`${name} still signs with it${keys_file_problem === null ? "" : `, as ${keys_file_problem}`}`),
    ),
  ];
  if (named.length > 0) return named;
  const last = authorizationServers.toSorted((one, other) => one.active_seconds - other.active_seconds)[0];
  const since = secondsBetween(key.retiringAt, now) - (last ? 0 : KEYS_SPREAD_SECONDS);
  const who = last ? `${last.name} signed with it` : "it signed";
  const ago = last ? `${ttl} + ${clockSkewSeconds}` : `${KEYS_SPREAD_SECONDS} + ${ttl} + ${clockSkewSeconds}`;
  return obstacle(
    ttl + clockSkewSeconds - Math.min(since, last?.active_seconds ?? since),
    `${who} until less than ${ago} s ago, and its last access tokens are still valid`,
  );
}

function couldNotAsk({ silent }: AskedReplicas): Obstacle[] {
  return silent.map(({ name, problem }) => until(`${name} could not be asked (${problem})`));
}

function until(reason: string): Obstacle {
  return { reason, seconds: null };
}

function obstacle(seconds: number, reason: string): Obstacle[] {
  const left = Math.ceil(seconds);
  return left > 0 ? [{ reason: `${reason}: wait ${left} s more`, seconds: left }] : [];
}

function secondsBetween(since: Date | null, now: Date): number {
  return since === null ? 0 : (now.getTime() - since.getTime()) / 1000;
}

import type { Plan, Scope } from "@partner-connect/contract";
import { isFaultOfANode, repeatAfterDeadlock, type Sql } from "@partner-connect/database";
import { type LiveGrant, TRANSITIONS } from "./connection.ts";
import { ofShops } from "./lists/list-connections.ts";

export interface Refresh {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the refresh token. */
  readonly refreshTokenHash: Buffer;
  /** Whether Redis has the token; resolves in parallel with Postgres. */
  readonly known: Promise<boolean>;
  /** The requested scope; undefined: the connection's. */
  readonly scope?: readonly string[] | undefined;
}

export type RefreshOutcome =
  | { readonly outcome: "refreshed"; readonly grant: LiveGrant }
  /** 'held': the token is current, and works again when the hold ends. */
  | { readonly outcome: "revoked" | "held" | "superseded" | "expired" | "invalid_scope"; readonly connectionId: string }
  | { readonly outcome: "unknown" };

/** $1: client. $2: shop or shops. $3: lag of `last_used_at`, seconds. $4: a token's lifetime plus the lag. Index: connections_pkey. */
const FIND = `
  SELECT c.id, c.shop_id, c.grant_id, c.generation, c.scope, c.status, c.disabled, c.refresh_token_hash,
    s.plan, k.scope AS client_scope,
    c.last_used_at < now() - make_interval(secs => $3) AS is_due,
    c.last_used_at < now() - make_interval(secs => $4) AS is_past
  FROM oauth.connections c
    JOIN directory.shops s ON s.id = c.shop_id
    JOIN directory.clients k ON k.client_id = c.client_id
  WHERE c.client_id = $1`;
const FIND_ONE = `${FIND} AND c.shop_id = $2`;
const FIND_MANY = `${FIND} AND c.shop_id = ANY ($2::text[])`;

/**
 * Refreshes one token: reads its connection, and records the use if the recorded one is too old. @param ttl - lifetime of a refresh token,
 * seconds @throws errors of Redis or Postgres
 */
export async function refresh(sql: Sql, request: Refresh, ttl: number): Promise<RefreshOutcome> {
  const { shopId, clientId, refreshTokenHash } = request;
  const lag = lastUseLagSeconds(ttl);
  const [known, [row]] = await Promise.all([
    request.known,
    sql.unsafe<RefreshRow[]>(FIND_ONE, [clientId, shopId, lag, ttl + lag], { prepare: true }),
  ]);
  const outcome = refreshOutcome(row, known, request);
  if (isForeign(outcome)) return (await endedTokens(sql, clientId, [request])).get(request) ?? outcome;
  if (outcome.outcome === "refreshed" && row?.is_due) {
    await sql`
        UPDATE oauth.connections SET last_used_at = now()
        WHERE shop_id = ${shopId} AND client_id = ${clientId} AND refresh_token_hash = ${refreshTokenHash}
          AND ${mayRecordUse(sql, ttl)}`;
  }
  return outcome;
}

/** Refreshes many tokens of one client like {@link refresh}. Results are in the given order; an error is the fault of that token. */
export async function refreshBatch(
  sql: Sql,
  clientId: string,
  requests: readonly Refresh[],
  ttl: number,
): Promise<(RefreshOutcome | Error)[]> {
  try {
    return await refreshTogether(sql, clientId, requests, ttl);
  } catch (error) {
    if (!isFaultOfANode(error)) return requests.map(() => error as Error);
    // Only tokens whose shops are on the failed node of a cluster fail.
    return await Promise.all(requests.map((one) => refresh(sql, one, ttl).catch((error: Error) => error)));
  }
}

async function refreshTogether(
  sql: Sql,
  clientId: string,
  requests: readonly Refresh[],
  ttl: number,
): Promise<(RefreshOutcome | Error)[]> {
  const lag = lastUseLagSeconds(ttl);
  const shopIds = requests.map(({ shopId }) => shopId);
  const [known, rows] = await Promise.all([
    Promise.allSettled(requests.map((one) => one.known)),
    sql.unsafe<RefreshRow[]>(FIND_MANY, [clientId, shopIds, lag, ttl + lag], { prepare: true }),
  ]);
  const rowOf = new Map(rows.map((row) => [row.shop_id, row]));
  const due: Refresh[] = [];
  const outcomes = requests.map((one, index) => {
    const inRedis = known[index];
    if (inRedis?.status !== "fulfilled") return inRedis?.reason as Error;
    const row = rowOf.get(one.shopId);
    const outcome = refreshOutcome(row, inRedis.value, one);
    if (outcome.outcome === "refreshed" && row?.is_due) due.push(one);
    return outcome;
  });
  if (due.length > 0) {
    const hashes = due.map(({ refreshTokenHash }) => refreshTokenHash.toString("hex"));
    // Two replicas may update the same rows in different orders.
    const write = repeatAfterDeadlock(
      () => sql`
        UPDATE oauth.connections SET last_used_at = now()
        WHERE client_id = ${clientId} AND shop_id = ANY (${due.map(({ shopId }) => shopId)}::text[])
          AND encode(refresh_token_hash, 'hex') = ANY (${hashes}::text[])
          AND ${mayRecordUse(sql, ttl)}`,
    );
    await write;
  }
  const foreign = requests.filter((_, index) => isForeign(outcomes[index]));
  const ended = await endedTokens(sql, clientId, foreign);
  return outcomes.map((outcome, index) => ended.get(requests[index] as Refresh) ?? outcome);
}

/** The shop's connection, if there is one, does not have the token. */
const isForeign = (outcome: RefreshOutcome | Error | undefined): boolean =>
  outcome !== undefined && "outcome" in outcome && (outcome.outcome === "unknown" || outcome.outcome === "superseded");

/** The outcomes of those tokens that connections of erased shops had. Index: ended_connections_pkey. */
async function endedTokens(
  sql: Sql,
  clientId: string,
  requests: readonly Refresh[],
): Promise<ReadonlyMap<Refresh, RefreshOutcome>> {
  if (requests.length === 0) return new Map();
  const shopIds = requests.map(({ shopId }) => shopId);
  const hashOf = ({ refreshTokenHash }: Refresh) => refreshTokenHash.toString("hex");
  const rows = await sql<{ id: string; hash: string }[]>`
    SELECT id, encode(refresh_token_hash, 'hex') AS hash FROM oauth.ended_connections
    WHERE ${ofShops(sql, "shop_id", shopIds)} AND client_id = ${clientId}
      AND encode(refresh_token_hash, 'hex') = ANY (${requests.map(hashOf)}::text[])`;
  const ended = new Map(rows.map(({ hash, id }) => [hash, id]));
  return new Map(
    requests.flatMap((request): [Refresh, RefreshOutcome][] => {
      const connectionId = ended.get(hashOf(request));
      return connectionId === undefined ? [] : [[request, { outcome: "revoked", connectionId }]];
    }),
  );
}

interface RefreshRow {
  readonly id: string;
  readonly shop_id: string;
  readonly grant_id: string;
  readonly generation: number;
  readonly scope: readonly Scope[];
  readonly status: string;
  readonly disabled: boolean;
  readonly refresh_token_hash: Buffer | null;
  readonly plan: Plan;
  readonly client_scope: readonly Scope[];
  /** `last_used_at` is too old, and must be written. */
  readonly is_due: boolean | null;
  /** Postgres last saw the token used longer than its lifetime ago. */
  readonly is_past: boolean | null;
}

function mayRecordUse(sql: Sql, ttl: number) {
  return sql`
    ${sql.json(TRANSITIONS.refresh)}::jsonb ? status AND NOT disabled
    AND last_used_at < now() - make_interval(secs => ${lastUseLagSeconds(ttl)})`;
}

/** How many seconds `last_used_at` may lag, so that not every refresh writes. A token lives that much longer. */
export function lastUseLagSeconds(ttl: number): number {
  return ttl / 720;
}

/** The first rule that applies. `known`: Redis has the token, so it was current once. */
function refreshOutcome(row: RefreshRow | undefined, known: boolean, request: Refresh): RefreshOutcome {
  const isCurrent = row?.refresh_token_hash?.equals(request.refreshTokenHash) ?? false;
  if (!row || !(isCurrent || known)) return { outcome: "unknown" };
  const { id: connectionId } = row;
  if (row.status === "revoked") return { outcome: "revoked", connectionId };
  if (row.disabled) return { outcome: isCurrent ? "held" : "revoked", connectionId };
  if (!isCurrent || !(row.status in TRANSITIONS.refresh)) return { outcome: "superseded", connectionId };
  if (row.is_past) return { outcome: "expired", connectionId };
  if (request.scope && !request.scope.every((scope) => (row.scope as readonly string[]).includes(scope)))
    return { outcome: "invalid_scope", connectionId };
  return {
    outcome: "refreshed",
    grant: {
      connectionId,
      shopId: row.shop_id,
      grantId: row.grant_id,
      generation: row.generation,
      scope: row.scope,
      clientScope: row.client_scope,
      plan: row.plan,
    },
  };
}

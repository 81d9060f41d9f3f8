import type { Sql } from "@partner-connect/database";
import DataLoader from "dataloader";
import { TRANSITIONS } from "../connection.ts";
import { findRefreshRows, type PresentedToken } from "./find-refresh-rows.ts";
import { lastUseLagSeconds, type RefreshOutcome, type RefreshRow, refreshOutcome } from "./refresh-outcome.ts";

export interface Refresh extends PresentedToken {
  /** Whether Redis knows the token. If not, it has forgotten it or never knew it. Asked at the same time as Postgres. */
  readonly known: Promise<boolean>;
  /** The scope that the request asks for; undefined: the connection's. */
  readonly scope?: readonly string[] | undefined;
}

const MOST_IN_A_STATEMENT = 100;

/**
 * Finds whether a refresh token is current. Refreshes of one turn of the event loop share a statement, which begins after each of
 * them: so a revocation that was committed before holds. Rejects with what the stores failed with.
 */
export function refresher(sql: Sql, refreshTokenTtlSeconds: number): (refresh: Refresh) => Promise<RefreshOutcome> {
  const rows = new DataLoader<PresentedToken, RefreshRow | null>(
    (tokens) => findRefreshRows(sql, tokens, refreshTokenTtlSeconds),
    { cache: false, maxBatchSize: MOST_IN_A_STATEMENT, batchScheduleFn: (askNow) => void setImmediate(askNow) },
  );
  return async (refresh) => {
    const [known, row] = await Promise.all([refresh.known, rows.load(refresh)]);
    const outcome = refreshOutcome(row, known, refresh);
    if (outcome.outcome === "refreshed" && row?.is_due) await noteUse(sql, refresh, refreshTokenTtlSeconds);
    return outcome;
  };
}

/** Records a use, after a refresh that found it due. Of several at once the first one writes. Index: connections_pkey. */
export async function noteUse(sql: Sql, token: PresentedToken, ttl: number): Promise<void> {
  await sql`
    UPDATE oauth.connections SET last_used_at = now()
    WHERE shop_id = ${token.shopId} AND client_id = ${token.clientId} AND refresh_token_hash = ${token.refreshTokenHash}
      AND ${sql.json(TRANSITIONS.refresh)}::jsonb ? status AND NOT disabled
      AND last_used_at < now() - make_interval(secs => ${lastUseLagSeconds(ttl)})`;
}

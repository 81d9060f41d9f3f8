import { repeatAfterDeadlock, type Sql } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";
import { ofShops } from "../lists/list-connections.ts";
import { findRefreshRows } from "./find-refresh-rows.ts";
import { asksTogether, type PresentedToken } from "./presented-token.ts";
import { lastUseLagSeconds, type RefreshOutcome, refreshOutcome } from "./refresh-outcome.ts";

export interface Refresh extends PresentedToken {
  /** Whether Redis knows the token. If not, it has forgotten it or never knew it. Asked at the same time as Postgres. */
  readonly known: Promise<boolean>;
  /** The scope that the request asks for; undefined: the connection's. */
  readonly scope?: readonly string[] | undefined;
}

/**
 * Finds which refresh tokens are current. Tokens of one turn of the event loop share a statement, which begins after each of them was
 * asked for: so a revocation that was committed before holds. An error: what the stores failed with.
 */
export function refresher(
  sql: Sql,
  refreshTokenTtlSeconds: number,
): (refreshes: readonly Refresh[]) => Promise<readonly (RefreshOutcome | Error)[]> {
  const find = asksTogether((tokens) => findRefreshRows(sql, tokens, refreshTokenTtlSeconds));
  const note = asksTogether((tokens) => noteUses(sql, tokens, refreshTokenTtlSeconds));
  return async (refreshes) => {
    const [known, rows] = await Promise.all([Promise.allSettled(refreshes.map(({ known }) => known)), find(refreshes)]);
    const due: number[] = [];
    const outcomes = refreshes.map((refresh, index) => {
      const [row, inRedis] = [rows[index] ?? null, known[index]];
      if (row instanceof Error) return row;
      if (inRedis?.status !== "fulfilled") return inRedis?.reason as Error;
      const outcome = refreshOutcome(row, inRedis.value, refresh);
      if (outcome.outcome === "refreshed" && row?.is_due) due.push(index);
      return outcome;
    });
    if (due.length > 0) {
      const noted = await note(due.map((index) => refreshes[index] as Refresh));
      for (const [at, index] of due.entries()) if (noted[at] instanceof Error) outcomes[index] = noted[at];
    }
    return outcomes;
  };
}

/** Records uses, after refreshes that found them due. Of several at once the first one writes. Index: connections_pkey. */
export async function noteUses(sql: Sql, tokens: readonly PresentedToken[], ttl: number): Promise<readonly true[]> {
  const each = (name: "shopId" | "clientId") => [...new Set(tokens.map((token) => token[name]))];
  const hashes = tokens.map(({ refreshTokenHash }) => refreshTokenHash.toString("hex"));
  await repeatAfterDeadlock(
    () => sql`
      UPDATE oauth.connections SET last_used_at = now()
      WHERE ${ofShops(sql, "shop_id", each("shopId"))} AND client_id = ANY (${each("clientId")}::text[])
        AND encode(refresh_token_hash, 'hex') = ANY (${hashes}::text[])
        AND ${sql.json(TRANSITIONS.refresh)}::jsonb ? status AND NOT disabled
        AND last_used_at < now() - make_interval(secs => ${lastUseLagSeconds(ttl)})`,
  );
  return tokens.map(() => true);
}

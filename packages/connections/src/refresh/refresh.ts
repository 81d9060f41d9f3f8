import type { Sql } from "@partner-connect/database";
import { findRefreshRows, type PresentedToken } from "./find-refresh-rows.ts";
import { noteUse } from "./note-use.ts";
import { oneStatementATurn } from "./one-statement-a-turn.ts";
import { type RefreshOutcome, refreshOutcome } from "./refresh-outcome.ts";

export interface Refresh extends PresentedToken {
  /** Whether Redis knows the token. If not, it has forgotten it or never knew it. Asked at the same time as Postgres. */
  readonly known: Promise<boolean>;
  /** The scope that the request asks for; undefined: the connection's. */
  readonly scope?: readonly string[] | undefined;
}

/**
 * Asks Postgres whether a refresh token is the current one of a connected row. Refreshes that arrive in one turn of the event
 * loop share one statement. It begins after each of them did, so a revocation that was committed before a refresh began
 * holds for it.
 */
export function refresher(sql: Sql, refreshTokenTtlSeconds: number): (refresh: Refresh) => Promise<RefreshOutcome> {
  const findRow = oneStatementATurn((tokens: readonly PresentedToken[]) =>
    findRefreshRows(sql, tokens, refreshTokenTtlSeconds),
  );
  return async (refresh) => {
    const [known, row] = await Promise.all([refresh.known, findRow(refresh)]);
    const outcome = refreshOutcome(row, known, refresh);
    if (outcome.outcome === "refreshed" && row?.is_due) await noteUse(sql, refresh, refreshTokenTtlSeconds);
    return outcome;
  };
}

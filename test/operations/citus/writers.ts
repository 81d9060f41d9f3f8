import { setTimeout as sleep } from "node:timers/promises";
import { revoke } from "@partner-connect/connections";
import { connectDatabase } from "@partner-connect/database";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { onTestFinished } from "vitest";
import type { ManyConnections } from "../../harness/actors/many-connections.ts";
import { partner } from "../../harness/actors/partner.ts";
import type { Place } from "../../harness/actors/shop-load.ts";
import { withRetries } from "../../harness/stack/processes.ts";

const ACTOR = { name: "operator:test" };
const BATCH = 20;

/** What an operator's jobs write without end, as the database's owner. */
export interface Writers {
  /** Imports that were acknowledged, and revocations. */
  readonly imports: number;
  readonly revoked: number;
  /** Those that failed, and were repeated. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
  /** Acknowledged records that are gone, and revocations that didn't hold. */
  count(): Promise<{ readonly lost: number; readonly wrong: number }>;
}

/**
 * Imports responses into the first shop, and revokes the connections of the others, one after another. After each acknowledged
 * revocation its refresh token must be refused.
 */
export function keepWriting(url: string, place: Place, { client, connections }: ManyConnections): Writers {
  const [target, ...others] = connections;
  const sql = connectDatabase(url, { name: "writers", connections: 2 });
  const failures: string[] = [];
  const revoked: ManyConnections["connections"][number][] = [];
  let [isOver, imports, wrong] = [false, 0, 0];
  const repeat = async (work: () => Promise<unknown>): Promise<boolean> => {
    while (!isOver) {
      try {
        await work();
        return true;
      } catch (error) {
        failures.push((error as Error).message);
        await sleep(200);
      }
    }
    return false;
  };
  const refused = async (refreshToken: string): Promise<boolean> => {
    const answer = await withRetries(() => partner(place.now, client).refresh(refreshToken));
    return answer.status === 400 && answer.json().error === "invalid_grant";
  };
  const importing = async () => {
    while (!isOver) {
      // All of them: what is repeated is the whole file, and a source that was read has no lines left.
      const lines = [...generateResponses({ count: BATCH, seed: `import ${imports}` })];
      if (await repeat(() => importResponses(sql, { shopId: target?.shop.id ?? "", lines }, ACTOR))) imports++;
      await sleep(250);
    }
  };
  const revoking = async () => {
    for (const connection of others) {
      if (!(await repeat(() => revoke(sql, { shopId: connection.shop.id, id: connection.id }, ACTOR)))) return;
      revoked.push(connection);
      if (!(await refused(connection.refreshToken))) wrong++;
      await sleep(500);
    }
  };
  const all = [importing(), revoking()];
  onTestFinished(() => {
    isOver = true;
  });
  return {
    failures,
    get imports() {
      return imports;
    },
    get revoked() {
      return revoked.length;
    },
    async stop() {
      isOver = true;
      await Promise.all(all);
      await sql.end();
    },
    async count() {
      for (const { refreshToken } of revoked) if (!(await refused(refreshToken))) wrong++;
      const reader = connectDatabase(url, { name: "writers", connections: 1 });
      const [row] = await reader<{ count: number }[]>`
        SELECT count(*)::int FROM survey.responses WHERE shop_id = ${target?.shop.id ?? ""}`;
      await reader.end();
      return { lost: Math.max(0, imports * BATCH - (row?.count ?? 0)), wrong };
    },
  };
}

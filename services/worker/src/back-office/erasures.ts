import { eraseWholeShop } from "@partner-connect/connections";
import type { Sql } from "@partner-connect/database";
import { type Erasure, eraseAccount, isErasing } from "@partner-connect/directory";
import type { Kind } from "../jobs.ts";

/**
 * Erases merchants and shops that the survey product has deleted; their access ended before. It can
 * be killed and repeated.
 */
export function erasureKind(sql: Sql): Kind<Erasure> {
  return {
    ...{ kind: "erasure", lanes: 2, batch: 1, isOneAtATime: true },
    async run({ data: erasure }) {
      const { what, id, by, requestId } = erasure;
      // Done by an earlier job; since then the product may have put it again.
      if (!(await isErasing(sql, erasure))) return "gone";
      const actor = { name: by, requestId };
      // Redis keeps sessions, and the hashes of tokens, until they would have expired. They open
      // nothing.
      if (what === "shop") await eraseWholeShop(sql, id, actor, async () => {});
      else await eraseAccount(sql, id, {}, actor);
      return "erased";
    },
  };
}

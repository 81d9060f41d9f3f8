import type { Sql } from "@partner-connect/database";
import { type Erasure, runErasure } from "@partner-connect/erasure";
import type { Kind } from "../jobs.ts";

/** The jobs that carry out the erasures which the survey product has requested. */
export function erasureKind(sql: Sql): Kind<Erasure> {
  const run: Kind<Erasure>["run"] = ({ data }) => runErasure(sql, data);
  return { kind: "erasure", lanes: 2, batch: 1, isOneAtATime: true, run };
}

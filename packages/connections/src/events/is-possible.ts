import type { Queries } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";

/** The SQL condition that the event is possible in the status of a row. */
export const isPossibleSql = (sql: Queries, event: keyof typeof TRANSITIONS) =>
  sql`${sql.json(TRANSITIONS[event])}::jsonb ? status`;

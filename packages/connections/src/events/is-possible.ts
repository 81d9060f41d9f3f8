import type { Queries } from "@partner-connect/database";
import { TRANSITIONS } from "../connection.ts";

/** A condition that the event is possible in a row's status. */
export const isPossibleSql = (sql: Queries, event: keyof typeof TRANSITIONS) =>
  sql`${sql.json(TRANSITIONS[event])}::jsonb ? status`;

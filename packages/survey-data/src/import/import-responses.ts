import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { readResponse } from "../record/response-record.ts";
import { type ImportOptions, type ImportResult, importRecords } from "./import-records.ts";

/**
 * Imports responses, NDJSON with the API's field names; idempotent by `id`. Records without `id`, `inserted_at` or
 * `updated_at` get them. A record that changes a stored response is an update; without an `updated_at` it is stamped now.
 *
 * Needs the owner's role. Throws {@link ImportError}, which names the line, or {@link UnknownShopError}. Then nothing of the
 * file is kept, and neither if the process or the connection ends before it returns.
 */
export function importResponses(sql: Sql, options: ImportOptions, actor: Actor): Promise<ImportResult> {
  return importRecords(
    sql,
    { table: "responses", action: "response_import", read: readResponse, maxLineBytes: 64 * 1024 },
    options,
    actor,
  );
}

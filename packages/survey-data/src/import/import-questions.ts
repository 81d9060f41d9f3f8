import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { readQuestion } from "../record/question-record.ts";
import { type ImportOptions, type ImportResult, importRecords } from "./import-records.ts";

/** Imports questions, by the same rules and with the same errors as responses; `id` and `prompt` are required. */
export function importQuestions(sql: Sql, options: ImportOptions, actor: Actor): Promise<ImportResult> {
  return importRecords(
    sql,
    { table: "questions", action: "question_import", read: readQuestion, maxLineBytes: 1024 * 1024 },
    options,
    actor,
  );
}

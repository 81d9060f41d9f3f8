import type { Transaction } from "@partner-connect/database";
import type { Values } from "../record/record-reader.ts";
import { isEmptyOrNull } from "../record/response-record.ts";
import { type BadLines, ImportError } from "./split-lines.ts";
import type { StagedRecord } from "./staged-records.ts";

/** The fields of a stored response that concern its question and answer. Ids are texts. */
interface Asked {
  readonly id: string;
  readonly question_id: string | null;
  readonly question: string | null;
  readonly question_type: string | null;
  readonly response_id: string | null;
  readonly response: string | null;
  readonly other_response: string | null;
  readonly original_response: string | null;
}

interface Question {
  readonly id: string;
  readonly prompt: string;
  readonly type: string | null;
  /** The options' values by id, only of those that responses name. */
  readonly options: Readonly<Record<string, string>> | null;
}

/** Maximum bytes of a completed record, the same as of an import line. */
const MAX_BYTES = 64 * 1024;

/**
 * Fills in what incomplete responses lack: `question`, `question_type` and, without a `response`,
 * the value of the option `response_id`. A response that is already stored with this `question_id`
 * keeps its stored question text and, if the answer is the same, its category. Adds to `bad` what
 * can't be completed. The caller holds the shop's lock. Indexes: responses_pkey, questions_pkey.
 */
export async function completeResponses(
  sql: Transaction,
  shopId: string,
  records: readonly StagedRecord[],
  bad: BadLines,
): Promise<readonly StagedRecord[]> {
  const incomplete = records.filter((record) => record.isIncomplete);
  if (incomplete.length === 0) return records;
  const stored = mapById(
    await sql<Asked[]>`
      SELECT r.id, asked.* FROM survey.responses AS r, json_to_record(r.doc::json) AS asked (
        question_id text, question text, question_type text, response_id text, response text, other_response text,
        original_response text)
      WHERE r.shop_id = ${shopId} AND r.id = ANY (${incomplete.map(({ id }) => id)}::text[])`,
  );
  const values = new Map(incomplete.map((record) => [record, JSON.parse(record.doc) as Values]));
  const idsOf = (name: string) =>
    [...new Set([...values.values()].map((each) => String(each[name] ?? "")))].filter(Boolean);
  const questions = mapById(
    await sql<Question[]>`
      SELECT q.id::text AS id, kept.prompt, kept.type, (
        SELECT json_object_agg(option ->> 'id', option ->> 'value') FROM json_array_elements(kept.responses) AS option
        WHERE option ->> 'id' = ANY (${idsOf("response_id")}::text[])) AS options
      FROM survey.questions AS q, json_to_record(q.doc::json) AS kept (prompt text, type text, responses json)
      WHERE q.shop_id = ${shopId} AND q.id = ANY (${idsOf("question_id")}::bigint[])`,
  );
  return records.map((record) => {
    const given = values.get(record);
    if (!given) return record;
    const question = questions.get(String(given["question_id"]));
    const problem = completeValues(given, stored.get(record.id), question);
    const doc = JSON.stringify(given);
    if (problem) bad.add(new ImportError(record.line, ...problem));
    else if (Buffer.byteLength(doc) > MAX_BYTES)
      bad.add(new ImportError(record.line, "is longer than 64 KiB with its question"));
    return { ...record, doc };
  });
}

const mapById = <T extends { readonly id: string }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.id, row]));

/** Completes the values in place, or returns the problem and its field. */
function completeValues(
  values: Values,
  stored: Asked | undefined,
  question: Question | undefined,
): readonly [problem: string, field: string] | undefined {
  const before =
    stored?.question_id === String(values["question_id"]) && !isEmptyOrNull(stored.question)
      ? stored
      : undefined;
  if (!before && !question) {
    const problem = `there is no question ${values["question_id"]}: send the question first, or \`question\``;
    return [problem, "question_id"];
  }
  values["question"] = before?.question ?? question?.prompt;
  values["question_type"] ??= before ? before.question_type : question?.type;
  if (!isEmptyOrNull(values["response"])) return undefined;
  const optionId = values["response_id"] === null ? null : String(values["response_id"]);
  const isSame =
    before?.response_id === optionId && before.other_response === values["other_response"];
  if (isSame && values["original_response"] === null) {
    values["response"] = before.response;
    values["original_response"] = before.original_response;
  } else if (optionId !== null)
    values["response"] = question?.options?.[optionId] ?? values["response"];
  if (!isEmptyOrNull(values["response"]) || !isEmptyOrNull(values["other_response"]))
    return undefined;
  const problem = `question ${values["question_id"]} has no option ${optionId}: send \`response\``;
  return [problem, "response_id"];
}

import { invalidRequest } from "../errors/api-error.ts";
import type { QueryParameters } from "../http/query-string.ts";
import { type PageParameters, readCursor, readLimit, readSingle } from "../pagination/limit-and-cursor.ts";

export const UNITS = ["day", "month"] as const;
export type Unit = (typeof UNITS)[number];

/** Where a count stands in its list. The keys are UUIDs without their hyphens. */
export interface CountPlace {
  readonly period: string;
  readonly questionKey: string;
  readonly responseKey: string;
}

export interface CountParameters extends PageParameters {
  readonly unit: Unit;
  /** Inclusive, as `2026-11-23`; a month by its first day. */
  readonly min: string | null;
  readonly max: string | null;
  readonly questionId: number | null;
  /** Where the cursor's record stands, or stood. */
  readonly place: CountPlace | null;
}

/** The parameters of the list of counts; unknown ones are ignored. @throws {ApiError} 400 naming the parameter that breaks a rule */
export function readCountParameters(parameters: QueryParameters): CountParameters {
  const given: [string, string][] = [];
  const kept = (name: string): string | null => {
    const value = readSingle(parameters, name);
    if (value !== null) given.push([name, value]);
    return value;
  };
  const limit = readLimit(kept("limit"));
  const unit = readUnit(kept("unit"));
  const min = readPeriod("period_min", kept("period_min"), unit);
  const max = readPeriod("period_max", kept("period_max"), unit);
  const questionId = readQuestionId(kept("question_id"));
  const cursor = readCursor(parameters, (id) => placeOf(id, unit) !== null);
  return { limit, unit, min, max, questionId, cursor, place: cursor && placeOf(cursor.id, unit), given };
}

function readUnit(value: string | null): Unit {
  const unit = UNITS.find((one) => one === (value ?? "day"));
  if (unit === undefined) throw invalidRequest("unit", `unit must be one of ${UNITS.join(", ")}.`);
  return unit;
}

function readPeriod(name: string, value: string | null, unit: Unit): string | null {
  if (value === null || isPeriod(value, unit)) return value;
  const rule = unit === "day" ? "a date, such as 2026-11-23" : "the first day of a month, such as 2026-11-01";
  throw invalidRequest(name, `${name} must be ${rule}.`);
}

/** Whether the text is the first day of a period: a date of the calendar that Postgres has. */
function isPeriod(text: string, unit: Unit): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith("0000")) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  const isDate = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return isDate && (unit === "day" || text.endsWith("-01"));
}

/** An id is its record's place (`ID_SQL` of list-counts.query.ts makes it): so it leads on when nothing is counted there any more. */
function placeOf(id: string, unit: Unit): CountPlace | null {
  const [, letter, year, month, day, encoded = ""] = /^([dm])(\d{4})(\d\d)(\d\d)([\w-]{43})$/.exec(id) ?? [];
  const period = `${year}-${month}-${day}`;
  const keys = Buffer.from(encoded, "base64url");
  if (letter !== unit[0] || !isPeriod(period, unit) || keys.toString("base64url") !== encoded) return null;
  return { period, questionKey: keys.toString("hex", 0, 16), responseKey: keys.toString("hex", 16) };
}

function readQuestionId(value: string | null): number | null {
  if (value === null) return null;
  const id = /^(?:0|-?[1-9]\d{0,15})$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw invalidRequest("question_id", "question_id must be an integer.");
  return id;
}

import { closest, distance } from "fastest-levenshtein";
import { OUR_VARIABLES } from "./our-variables.ts";

export interface UnknownVariable {
  readonly name: string;
  /** The name of ours that is most like it. */
  readonly nearest: string;
}

/** A name that ends like this is meant for a program of ours. */
const OURS = /_(?:RATE_LIMIT|TTL_SECONDS|DB_PASSWORD|DB_PASSWORD_FILE)$/;

/**
 * Of the variables that are set, those that are a misspelt name of ours: one letter in eight may be wrong, but no more than two.
 * A variable of another of our programs is none, as one environment may serve several; nor is any other program's.
 * @param known what this program reads
 */
export function unknownVariables(names: readonly string[], known: ReadonlySet<string>): UnknownVariable[] {
  const ours = [...new Set([...known, ...OUR_VARIABLES, ...OUR_VARIABLES.map((name) => `${name}_FILE`)])];
  return names.flatMap((name) => {
    if (ours.includes(name) || name.startsWith("OTEL_")) return []; // OpenTelemetry's libraries read more of them
    const nearest = closest(name, ours);
    const isMisspelt = distance(name, nearest) <= Math.min(2, Math.floor(name.length / 8));
    return isMisspelt || OURS.test(name) ? [{ name, nearest }] : [];
  });
}

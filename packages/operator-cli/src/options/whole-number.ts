import { UsageError } from "../run/operator-error.ts";

/** The number that an option is given. */
export function wholeNumber(text: string, option: string, { min, max }: { min: number; max: number }): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${option} ${JSON.stringify(text)} is not a whole number from ${min} to ${max}`);
}

import { InvalidArgumentError } from "commander";

/** A commander option that is a whole number from 1. */
export function parseCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is not a whole number from 1.");
}

import { type Cell, cellText } from "./cell.ts";
import { relativeTime } from "./relative-time.ts";

/** One line for each name and value. Times are given both ways. */
export function fields(values: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `  ${name.padEnd(width)}  ${fieldText(value)}`).join("\n");
}

function fieldText(value: Cell): string {
  const text = cellText(value, { exactTimes: true });
  return value instanceof Date ? `${text} (${relativeTime(value)})` : text;
}

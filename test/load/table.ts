export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] =
    sorted.length % 2 === 1
      ? [sorted[middle], sorted[middle]]
      : [sorted[middle - 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** `median (lowest to highest)`. */
export function spread(values: readonly number[], digits = 2): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return `${median(values).toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** Measured values with their floor, such as `≥ 0.65` or `≤ 10`, and their aim. */
export type FloorRow = readonly [
  name: string,
  values: readonly number[],
  floor?: string,
  aim?: string,
  digits?: number,
];

/** True if the median of each row meets its floor. */
export function floorTable(rows: readonly FloorRow[]): string {
  const cells = rows.map(([name, values, floor = "", aim = "", digits]) => {
    const [sign, bound] = floor.split(" ");
    const isMet = sign === "≥" ? median(values) >= Number(bound) : median(values) <= Number(bound);
    return [name, spread(values, digits), floor, aim, floor === "" ? "" : isMet ? "met" : "MISSED"];
  });
  return table(["", "measured", "floor", "aim", ""], cells);
}

/** A table in Markdown, so that its text can be put into a document as it is. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [
    line(head),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...rows.map(line),
  ].join("\n");
}

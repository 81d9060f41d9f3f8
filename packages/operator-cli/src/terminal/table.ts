import stringWidth from "string-width";
import { relativeTime } from "./relative-time.ts";
import { type Printable, paint, type Screen, type Style, visible } from "./screen.ts";

export type Cell = string | Date | null | { readonly text: string; readonly style: Style };

const NOTHING = "-";
const graphemes = new Intl.Segmenter();

/** The cell's text. Data that others gave can't steer the terminal. */
function cellText(cell: Cell, screen: Pick<Screen, "exactTimes">): string {
  if (cell === null) return NOTHING;
  if (cell instanceof Date) return screen.exactTimes ? cell.toISOString() : relativeTime(cell);
  return visible(typeof cell === "string" ? cell : cell.text);
}

/** The cell in `width` columns: filled up with spaces, or cut with an ellipsis. */
function cellIn(cell: Cell, width: number, screen: Screen): string {
  const text = cut(cellText(cell, screen), width);
  const painted = typeof cell === "object" && cell !== null && "style" in cell ? paint(screen, cell.style, text) : text;
  return painted + " ".repeat(Math.max(0, width - stringWidth(text)));
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A column of a table. A plain title is a column that is always shown whole, such as an id. */
export interface Column {
  readonly title: string;
  /** Where the terminal is too narrow: 'cut' ends its texts with …, 'leave out' leaves the column out, the last such column first. */
  readonly narrow: "cut" | "leave out";
}

const GAP = 2;
/** Before a column is cut to less, others are left out. */
const COMFORTABLE = 16;
/** A column that is cut keeps so much. */
const LEAST = 8;

export const cutColumn = (title: string): Column => ({ title, narrow: "cut" });
export const extraColumn = (title: string): Column => ({ title, narrow: "leave out" });

/** Rows under a head, aligned, as wide as the terminal; elsewhere, and with --wide, whole. `none`: the text without rows. */
export function table(
  columns: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  none: string,
): Printable {
  if (rows.length === 0) return none;
  return (screen) => {
    const widths = fit(columns, natural(columns, rows, screen), screen.width);
    const line = (cells: readonly Cell[]): string =>
      cells
        .flatMap((cell, at) => (widths[at] ? [cellIn(cell, widths[at], screen)] : []))
        .join(" ".repeat(GAP))
        .trimEnd();
    const hidden = widths.filter((width) => width === 0).length;
    const more =
      hidden === 0 ? [] : [paint(screen, "dim", `(--wide shows ${hidden} more column${hidden > 1 ? "s" : ""})`)];
    return [paint(screen, "bold", line(columns.map(titleOf))), ...rows.map(line), ...more].join("\n");
  };
}

function titleOf(column: string | Column): string {
  return typeof column === "string" ? column : column.title;
}

function natural(columns: readonly (string | Column)[], rows: readonly (readonly Cell[])[], screen: Screen): number[] {
  return columns.map((column, at) =>
    rows.reduce(
      (widest, row) => Math.max(widest, stringWidth(cellText(row[at] ?? null, screen))),
      stringWidth(titleOf(column)),
    ),
  );
}

/** The widths at which the table fits into `width`; 0: left out. First columns are left out, then the widest ones are cut. */
function fit(columns: readonly (string | Column)[], natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const ways = columns.map((column) => (typeof column === "string" ? undefined : column.narrow));
  const cutTo = (least: number) => widths.map((whole, at) => (ways[at] === "cut" ? Math.min(whole, least) : whole));
  for (let at = columns.length - 1; at >= 0 && total(cutTo(COMFORTABLE)) > width; at -= 1) {
    if (ways[at] === "leave out") widths[at] = 0;
  }
  while (total(widths) > width) {
    const widest = Math.max(...widths.filter((now, at) => ways[at] === "cut" && now > LEAST));
    if (widest === Number.NEGATIVE_INFINITY) break;
    widths[widths.findIndex((now, at) => now === widest && ways[at] === "cut")] = widest - 1;
  }
  return widths;
}

function total(widths: readonly number[]): number {
  const shown = widths.filter((width) => width > 0);
  return shown.reduce((sum, width) => sum + width, 0) + GAP * (shown.length - 1);
}

/** One line for each name and value. Times are given both ways. */
export function fields(values: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `  ${name.padEnd(width)}  ${fieldText(value)}`).join("\n");
}

function fieldText(value: Cell): string {
  const text = cellText(value, { exactTimes: true });
  return value instanceof Date ? `${text} (${relativeTime(value)})` : text;
}

import stringWidth from "string-width";
import { relativeTime } from "./relative-time.ts";
import { visible } from "./say.ts";
import { paint, type Screen, type Style } from "./screen.ts";

/** What a table or a list of fields shows: a text, a time, or nothing. */
export type Cell = string | Date | null | { readonly text: string; readonly style: Style };

const NOTHING = "-";
const graphemes = new Intl.Segmenter();

/** The cell's text. Data that others gave can't steer the terminal. */
export function cellText(cell: Cell, screen: Pick<Screen, "exactTimes">): string {
  if (cell === null) return NOTHING;
  if (cell instanceof Date) return screen.exactTimes ? cell.toISOString() : relativeTime(cell);
  return visible(typeof cell === "string" ? cell : cell.text);
}

/** The cell in `width` columns: filled up with spaces, or cut with an ellipsis. */
export function cellIn(cell: Cell, width: number, screen: Screen): string {
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

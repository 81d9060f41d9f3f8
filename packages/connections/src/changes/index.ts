export { appendChanges } from "./append-changes.ts";
export {
  BEGINNING,
  type ChangesCursor,
  type FeedRow,
  formatCursor,
  pageOf,
  parseCursor,
} from "./cursor.ts";
export { type Change, readChanges } from "./read-changes.ts";
export { countNotes, noteRelay, type RelayRound } from "./relay-notes.ts";
export { type PositionWatch, watchPositions } from "./watch-positions.ts";

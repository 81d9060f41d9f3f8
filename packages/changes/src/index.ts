export { appendChanges, appendTogether } from "./append-changes.ts";
export { type ChangesCursor, formatCursor, parseCursor } from "./cursor.ts";
export { GONE_CHANGES } from "./gone-changes.ts";
export { type Change, readChanges } from "./read-changes.ts";
export { type RelayRound, relayRounds, waitingNotes } from "./relay.ts";
export { type PositionWatch, watchPositions } from "./watch-positions.ts";

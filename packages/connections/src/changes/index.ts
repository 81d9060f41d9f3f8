export { appendChanges } from "./append-changes.ts";
export { type Change, type ChangesCursor, formatCursor, parseCursor, readChanges } from "./read-changes.ts";
export { type RelayRound, relayRounds, waitingNotes } from "./relay.ts";
export { type PositionWatch, watchPositions } from "./watch-positions.ts";

export { type DateTime, parseDateTime } from "./date-time.ts";
export { formatTimestamp, parseTimestamp } from "./timestamp.ts";

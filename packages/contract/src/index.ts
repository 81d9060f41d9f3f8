export * from "./claims.ts";
export * from "./scope.ts";
export * from "./scope-titles.ts";
export { formatTimestamp, parseDateTime, parseTimestamp } from "./timestamp.ts";

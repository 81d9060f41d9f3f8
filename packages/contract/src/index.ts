export * from "./claims.ts";
export * from "./redis-keys.ts";
export * from "./scope.ts";
export { formatTimestamp, parseDateTime, parseTimestamp } from "./timestamp.ts";

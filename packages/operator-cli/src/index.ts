export type { Terminal } from "./run/context.ts";
export { run } from "./run/run.ts";

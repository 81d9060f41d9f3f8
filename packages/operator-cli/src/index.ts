export { OPERATOR_SETTINGS } from "./run/config.ts";
export { run } from "./run/run.ts";

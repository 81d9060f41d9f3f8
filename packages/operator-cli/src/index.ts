export { OPERATOR_SETTINGS } from "./config.ts";
export { run } from "./program.ts";

export { run } from "./run/run.ts";

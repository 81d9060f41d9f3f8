export { freePort } from "@partner-connect/service-runtime/free-port";
export { STACK_SETTINGS } from "./config.ts";
export {
  type LocalStack,
  type LocalStackOptions,
  type LocalStackState,
  startLocalStack,
} from "./local-stack.ts";

export { nodeOf, whileAway, whileSilent } from "./away-node.ts";
export { requireOneShard } from "./require-one-shard.ts";
export { createClusterTemplates } from "./test-templates.ts";

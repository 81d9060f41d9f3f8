export { clusterState } from "./cluster-state.ts";
export { migrateAndDistribute } from "./migrate-and-distribute.ts";

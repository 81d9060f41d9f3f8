export { type ClusterState, clusterState } from "./cluster-state.ts";
export { type DistributedSchema, migrateAndDistribute } from "./migrate-and-distribute.ts";

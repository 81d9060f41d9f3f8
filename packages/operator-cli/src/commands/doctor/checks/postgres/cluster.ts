import { type Check, fine, unless } from "../../check.ts";

/** Of a Citus cluster: whether the nodes reach each other, know all tables, and are each as one Postgres should be. */
export const cluster: Check = {
  name: "cluster",
  async look({ sql }) {
    const { clusterState } = await import("@partner-connect/citus");
    const state = await clusterState(await sql());
    if (state === null) return fine("one Postgres, no cluster");
    return unless(
      state.problems,
      `${state.nodes.length} nodes, each reaches the others`,
      "start and connect the nodes; partner-connect migrate --distribute distributes tables and builds indexes again; the rest: deploy/operations/scaling.md",
    );
  },
};

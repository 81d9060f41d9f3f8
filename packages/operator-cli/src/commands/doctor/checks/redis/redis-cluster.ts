import type { ClusterState } from "../../redis-cluster-state.ts";

const SLOTS = 16_384;

/** What is wrong with a cluster as a whole. */
export function clusterProblems({ state, slots, members }: ClusterState): string[] {
  const away = members.filter(({ isAway }) => isAway);
  const alone = members.filter(
    ({ id, hasSlots }) => hasSlots && !members.some(({ follows, isAway }) => follows === id && !isAway),
  );
  return [
    ...(state === "ok" ? [] : [`cluster_state is ${state}`]),
    ...(slots === SLOTS ? [] : [`${SLOTS - slots} of ${SLOTS} slots are served by nobody`]),
    ...away.map(({ name }) => `${name} is away`),
    ...alone.filter(({ isAway }) => !isAway).map(({ name }) => `${name} has no replica`),
  ];
}

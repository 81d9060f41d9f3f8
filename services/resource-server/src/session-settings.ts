/**
 * Every statement of this service walks along an index and stops at a limit. A limit that is a parameter looks like a
 * tenth of the table to the planner, so it is told not to gather and sort; and each shape has the same plan for every
 * value, so it is planned once.
 */
export const SESSION_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  jit: "off",
} as const;

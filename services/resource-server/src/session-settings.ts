/**
 * Every statement of this service walks along an index and stops at a limit. Where the limit is a parameter, the planner
 * expects a tenth of the table; so it is told not to read whole tables and not to sort. A statement's best plan is the same
 * for all values of its parameters, so it is planned once.
 */
export const SESSION_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_sort: "off",
  jit: "off",
} as const;

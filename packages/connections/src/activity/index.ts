export { ActivityCounters, type ActivityKind } from "./activity-counters.ts";
export { activityOfClient, addActivity, type HourlyActivity } from "./client-activity.ts";
export {
  addRefusals,
  type CountedRefusals,
  countedRefusals,
  refusalsOfClient,
  type StoredRefusal,
} from "./client-refusals.ts";

export { ActivityCounters } from "./activity-counters.ts";
export { type ActivityKind, activityOfClient, addActivity, type HourlyActivity } from "./client-activity.ts";
export { type CountedRefusals, countedRefusals, refusalsOfClient, type StoredRefusal } from "./client-refusals.ts";

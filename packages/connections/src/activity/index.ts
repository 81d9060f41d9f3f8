export { type Activity, ActivityCounters, type ActivityKind } from "./activity-counters.ts";
export { activityOfClient, addActivity, type HourlyActivity } from "./client-activity.ts";

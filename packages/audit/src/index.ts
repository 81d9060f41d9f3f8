export type { Actor } from "./actor.ts";
export type { AuditAction } from "./audit-event.ts";
export { type AuditFilter, type AuditRecord, listAudit } from "./list-audit.ts";
export { makeMonths } from "./make-months.ts";
export { monthSpans } from "./month-span.ts";
export { type PrunedPart, prunableParts, pruneMonths } from "./prune-months.ts";
export { type Purge, purgeOf } from "./purge.ts";
export { insertAudit, recordAudit } from "./record-audit.ts";

export type { Actor } from "./actor.ts";
export type { AuditAction, AuditEvent } from "./audit-event.ts";
export { type AuditFilter, type AuditRecord, listAudit } from "./list-audit.ts";
export { makeMonths } from "./make-months.ts";
export { type MonthSpan, monthSpans } from "./month-span.ts";
export { type PrunedPart, prunableParts, pruneMonths } from "./prune-months.ts";
export { type Purge, purgeOf } from "./purge.ts";
export { type AuditedColumns, insertAudit, recordAudit } from "./record-audit.ts";

export { type AuditFilter, type AuditRecord, listAudit } from "./list-audit.ts";
export { makeMonths } from "./make-months.ts";
export { monthSpans } from "./month-tables.ts";
export { type PrunedPart, prunableParts, pruneMonths } from "./prune-months.ts";
export { type Purge, purgeOf } from "./purge.ts";
export type { Actor, AuditAction } from "./record-audit.ts";
export { insertAudit, recordAudit } from "./record-audit.ts";

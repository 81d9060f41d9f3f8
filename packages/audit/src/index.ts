export type { Actor } from "./actor.ts";
export type { AuditAction, AuditEvent } from "./audit-event.ts";
export { recordAudit } from "./record-audit.ts";

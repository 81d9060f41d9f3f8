export { eraseNames, formerEmails } from "./erase-names.ts";
export { type AuditFilter, type AuditRecord, listAudit } from "./list-audit.ts";
export { makeMonths, monthSpans, pruneMonths } from "./months.ts";
export {
  type Actor,
  AUDIT_ACTIONS,
  type AuditAction,
  changeWithRecords,
  recordAudit,
  recordAuditOfEach,
} from "./record-audit.ts";

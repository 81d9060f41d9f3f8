export { eraseNames, namesInAudit } from "./erase-names.ts";
export {
  HISTORY_DAYS,
  type HistoryPlace,
  historyOfAccount,
  historyOfShop,
  type PastEvent,
} from "./history.ts";
export { type AuditFilter, type AuditRecord, listAudit } from "./list-audit.ts";
export { makeMonths } from "./make-months.ts";
export { monthSpans } from "./month-tables.ts";
export { type PrunedPart, prunableParts, pruneMonths } from "./prune-months.ts";
export { type Purge, purgeOf } from "./purge.ts";
export { readLogs, recordTime, type StoredRecord } from "./read-log.ts";
export type { Actor, AuditAction } from "./record-audit.ts";
export { AUDIT_ACTIONS, insertAudit, recordAudit } from "./record-audit.ts";
export { pseudonym } from "./seals/record-digest.ts";
export type { AuditKeys } from "./seals/seal.ts";
export { type SealedLog, sealLogs } from "./seals/seal-log.ts";
export { settledTime } from "./seals/settled-time.ts";
export { type AuditProblem, type SealReference, type VerifiedAudit, verifyLogs } from "./seals/verify-log.ts";

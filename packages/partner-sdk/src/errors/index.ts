export * from "./authorization-errors.ts";
export { type ErrorCode, type ErrorDetail, PartnerConnectError } from "./partner-connect-error.ts";
export * from "./request-errors.ts";
export * from "./token-errors.ts";

export {
  countResponses,
  deleteQuestion,
  deleteResponses,
  type Recategorization,
  recategorizeResponses,
} from "./change-responses.ts";
export { countRecords } from "./count-records.ts";
export { deleteSurveyData } from "./forget-survey.ts";
export {
  claimKey,
  type IdempotentRequest,
  storeAnswer,
} from "./idempotency-keys.ts";
export type { ImportOptions, ImportProgress, ImportResult } from "./import/import-records.ts";
export {
  importQuestions,
  importResponses,
  receiveDeletions,
  receiveQuestions,
  receiveResponses,
  TooManyRecordsError,
} from "./import/import-records.ts";
export { ImportError } from "./import/split-lines.ts";
export * from "./record/field-descriptions.ts";
export {
  PRODUCT_QUESTION_FIELDS,
  QUESTION_FIELDS,
  QUESTION_OPTION_FIELDS,
} from "./record/question-record.ts";
export { type Field, FieldError, type FieldKind } from "./record/record-reader.ts";
export {
  DELETION_FIELDS,
  PRODUCT_RESPONSE_FIELDS,
  RESPONSE_FIELDS,
} from "./record/response-record.ts";
export { UnknownShopError } from "./shop-transaction.ts";
export {
  advanceSourcePosition,
  listSources,
  moveSourcePosition,
  putSource,
  type SourceFields,
} from "./sources.ts";

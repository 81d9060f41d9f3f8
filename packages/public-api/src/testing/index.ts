export { type Differences, differencesFrom, type ReceivedAnswer, received, schemaProblems } from "./differences.ts";
export {
  type ApiDocument,
  type DescribedOperation,
  type DescribedParameter,
  operationOf,
  resolved,
} from "./document.ts";
export { type DescribedExample, describedAnswers } from "./examples.ts";
export { kindOf } from "./kind.ts";

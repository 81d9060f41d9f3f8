export { type Differences, differencesFrom, received, schemaProblems } from "./differences.ts";
export { type ApiDocument, operationOf, resolved } from "./document.ts";
export { type DescribedExample, describedAnswers } from "./examples.ts";
export { kindOf } from "./kind.ts";

export { type Differences, differencesFrom, received, schemaProblems } from "./differences.ts";
export { type ApiDocument, operationOf, operationsIn, resolved } from "./document.ts";
export { describedAnswers, recipesOf } from "./examples.ts";
export { kindOf } from "./kind.ts";

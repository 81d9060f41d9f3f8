export { type Differences, differencesFrom, received } from "./differences.ts";
export { type ApiDocument, operationOf, operationsIn } from "./document.ts";
export { describedAnswers, recipesOf } from "./examples.ts";
export { kindOf } from "./kind.ts";

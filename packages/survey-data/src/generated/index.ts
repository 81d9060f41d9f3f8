export { generateQuestions, generateResponses } from "./generate.ts";

export { type GenerateOptions, generateQuestions, generateResponses } from "./generate.ts";

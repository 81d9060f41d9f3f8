export { generateQuestions, generateResponses } from "./generate.ts";
export { changeTestShop, fillTestShop } from "./test-shop.ts";

export { generateQuestions, generateResponses } from "./generate.ts";
export {
  applyTestShopChange,
  countTestShopResponses,
  fillTestShop,
  simulateTestShop,
} from "./test-shop.ts";

export { generateQuestions, generateResponses } from "./generate.ts";
export {
  applyTestShopChange,
  changeTestShop,
  countTestShopResponses,
  fillTestShop,
} from "./test-shop.ts";

export { eraseClient, eraseMerchant, eraseShop } from "./erase.ts";
export { type ErasableKeys, erasableKeys } from "./keys.ts";
export {
  type Erasure,
  requestMerchantErasure,
  requestShopErasure,
  runErasure,
} from "./request.ts";

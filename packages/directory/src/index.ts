export { isBeingErased, shopIsBeingErased } from "./being-erased.ts";
export * from "./clients/client-members.ts";
export {
  type Client,
  type ClientDetails,
  type ClientSummary,
  clientDetails,
  findClient,
  findLogo,
  GRANT_TYPES,
  LOGOS_PATH,
  listClients,
  lockClient,
  type StoredClientSecret,
  setClientStatus,
} from "./clients/clients.ts";
export * from "./clients/register-client.ts";
export * from "./clients/rotate-client-secret.ts";
export * from "./clients/secret-uses.ts";
export * from "./credentials.ts";
export { DirectoryError } from "./directory-error.ts";
export { removeInvisible } from "./display-name.ts";
export * from "./forget.ts";
export * from "./id-or-name.ts";
export * from "./members.ts";
export { createAccount, createMerchant, type NewAccount } from "./merchants/create-merchant.ts";
export { canonicalEmail, shownAddress } from "./merchants/email.ts";
export * from "./merchants/identity.ts";
export {
  endAllSessions,
  endSessions,
  findMerchant,
  findMerchantByEmail,
  findPageMerchant,
  listMerchants,
  type Merchant,
  type MerchantAccount,
  type MerchantDetails,
  merchantDetails,
  putMerchant,
  requireMerchant,
  type Shop,
  setMerchantStatus,
  shopsOfMerchant,
  storeSignIn,
  updateEmail,
} from "./merchants/merchants.ts";
export * from "./merchants/passkeys.ts";
export * from "./passwords/password.ts";
export * from "./passwords/password-rule.ts";
export {
  changePassword,
  createResetLink,
  findResetLink,
  mailedToken,
  mailResetLink,
  RESET_PASSWORD_PATH,
  resetPassword,
  setPassword,
} from "./passwords/set-password.ts";
export * from "./product-key.ts";
export * from "./shops/api-key.ts";
export {
  createShop,
  findProductShop,
  listShops,
  putShop,
  renameShop,
  requireProductShop,
  setShopPlan,
  shopDetails,
} from "./shops/shop.ts";
export * from "./shops/test-shop.ts";

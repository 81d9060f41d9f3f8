export {
  type Client,
  type ClientSecret,
  type ClientSummary,
  findLogo,
  GRANT_TYPES,
  LOGOS_PATH,
} from "./clients/client.ts";
export {
  addClientMember,
  clientsOfMember,
  lockClientMembership,
  membersOfClient,
  removeClientMember,
} from "./clients/client-members.ts";
export {
  type ClientDetails,
  clientDetails,
  findClient,
  listClients,
  lockClient,
  setClientStatus,
} from "./clients/clients.ts";
export { createClient } from "./clients/create-client.ts";

export { endFormerSecret, type Rotation, rotateClientSecret } from "./clients/rotate-client-secret.ts";
export { addSecretUses, SecretUses } from "./clients/secret-uses.ts";
export { updateClient, updatedClient } from "./clients/update-client.ts";
export { DirectoryError } from "./directory-error.ts";
export { withoutUnseen } from "./display-name.ts";
export { deleteClient, eraseAccount, eraseShop, refuseSoleMember } from "./erase.ts";
export { clientByIdOrName, idsOf, shopByIdOrName } from "./id-or-name.ts";
export {
  addMember,
  lockMembership,
  type Member,
  membersOfShop,
  removableMember,
  removeMember,
} from "./members.ts";
export { createAccount, createMerchant, type NewAccount } from "./merchants/create-merchant.ts";
export { canonicalEmail } from "./merchants/email.ts";
export {
  findMerchantByIdentity,
  forgetIdentities,
  type IdentityOwner,
  joinIdentity,
} from "./merchants/identity.ts";
export {
  findMerchant,
  findMerchantByEmail,
  findReader,
  type Merchant,
  type MerchantAccount,
  requireMerchant,
  type Shop,
  shopsOfMerchant,
} from "./merchants/merchant.ts";
export {
  endAllSessions,
  endSessions,
  listMerchants,
  type MerchantDetails,
  setMerchantStatus,
  showMerchant,
  updateEmail,
} from "./merchants/merchants.ts";
export {
  addPasskey,
  hasPasskey,
  MAX_PASSKEYS,
  type NewPasskey,
  type Passkey,
  passkeysOf,
  removeAllPasskeys,
  removePasskey,
  usePasskey,
} from "./merchants/passkeys.ts";
export {
  hashCredential,
  hashPassword,
  newCredential,
  normalizedPassword,
  verifyPassword,
} from "./passwords/password.ts";
export {
  MIN_PASSWORD_LENGTH,
  type PasswordChooser,
  type PasswordOwner,
  type PasswordProblem,
  passwordProblem,
  requirePassword,
} from "./passwords/password-rule.ts";
export {
  createResetLink,
  findResetLink,
  mailedToken,
  mailResetLink,
  RESET_PASSWORD_PATH,
  resetPassword,
} from "./passwords/reset-link.ts";
export { changePassword, setPassword } from "./passwords/set-password.ts";
export {
  type Erasure,
  endMember,
  isErasing,
  markErasure,
  putMember,
  putMerchant,
  putShop,
  requestMerchantErasure,
  requestShopErasure,
} from "./product.ts";
export {
  createProductKey,
  findProductKey,
  listProductKeys,
  revokeProductKey,
  useProductKey,
} from "./product-key.ts";
export {
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
} from "./shops/api-key.ts";
export {
  createShop,
  listShops,
  renameShop,
  setShopPlan,
  showShop,
} from "./shops/shop.ts";
export {
  endTestShop,
  filledTestShops,
  findTestShop,
  MAX_TEST_SHOPS,
  noteTestShopStep,
  requestTestShopChange,
  TEST_SHOP_CHANGES,
  type TestShop,
  testShopsOf,
} from "./shops/test-shop.ts";

export { type ApiKey, createApiKey, revokeApiKey } from "./api-key.ts";
export { type Client, GRANT_TYPES, type GrantType } from "./client.ts";
export { type ClientDetails, clientDetails } from "./client-details.ts";
export type { ClientIdentity } from "./client-identity.ts";
export { type ClientLogo, findLogo } from "./client-logo.ts";
export { requireFreeName } from "./client-name.ts";
export type { ClientSummary } from "./client-row.ts";
export type { ClientSecret } from "./client-secret.ts";
export { type ClientUpdate, updatedClient } from "./client-update.ts";
export { listClients, setClientStatus } from "./clients.ts";
export { createClient, type NewClient } from "./create-client.ts";
export { createMerchant, insertMerchant, type NewMerchant } from "./create-merchant.ts";
export { hashCredential, newCredential } from "./credential.ts";
export { DirectoryError, type DirectoryErrorCode } from "./directory-error.ts";
export { withoutUnseen } from "./display-name.ts";
export { canonicalEmail } from "./email.ts";
export { endSessions } from "./end-sessions.ts";
export { findClient } from "./find-client.ts";
export { findApiKey, type ListedApiKey, listApiKeys } from "./list-api-keys.ts";
export { LOGOS_PATH } from "./logo-path.ts";
export { acceptInvitation } from "./members/accept-invitation.ts";
export { addMember } from "./members/add-member.ts";
export {
  findInvitation,
  INVITATION_DAYS,
  type Invitation,
  type PendingInvitation,
  pendingInvitations,
} from "./members/invitation.ts";
export { inviteMember, type MadeInvitation, withdrawInvitation } from "./members/invite-member.ts";
export { makeInvitedAccount } from "./members/invited-account.ts";
export { isMember } from "./members/is-member.ts";
export { type Member, membersOfShop, membersOfShops } from "./members/member.ts";
export { removableMember, removeMember } from "./members/remove-member.ts";
export { ROLES, type Role } from "./members/role.ts";
export {
  findMerchant,
  findMerchantByEmail,
  type Merchant,
  type MerchantAccount,
  type OwnShop,
  type Shop,
  shopsOfMerchant,
} from "./merchant.ts";
export { MERCHANT_LINKS } from "./merchant-links.ts";
export { listMerchants, type MerchantDetails, setMerchantStatus, showMerchant } from "./merchants.ts";
export { hashPassword, normalizedPassword, verifyPassword } from "./password.ts";
export {
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type PasswordChooser,
  type PasswordOwner,
  type PasswordProblem,
  passwordProblem,
  requirePassword,
} from "./password-rule.ts";
export { redirectUriProblem } from "./registrable-redirect-uri.ts";
export { renameShop } from "./rename-shop.ts";
export { requireClient, requireShop } from "./require.ts";
export type { Invited } from "./require-confirmed.ts";
export { createResetLink, findResetLink, RESET_PASSWORD_PATH, type ResetLink, resetPassword } from "./reset-link.ts";
export { type Rotation, rotateClientSecret } from "./rotate-client-secret.ts";
export { changePassword, type PasswordChange, setPassword } from "./set-password.ts";
export { createShop, listShops, type NewShop, setShopPlan } from "./shop.ts";
export { type ShopDetails, showShop } from "./show-shop.ts";
export { updateClient } from "./update-client.ts";

export { type Client, type ClientSecret, GRANT_TYPES, type GrantType } from "./client.ts";
export { hashCredential, newCredential } from "./credential.ts";
export { findClient } from "./find-client.ts";
export { findMerchant, findMerchantByEmail, type Merchant, type Shop, shopsOfMerchant } from "./merchant.ts";
export { hashPassword, verifyPassword } from "./password.ts";
export { matchesRegisteredRedirectUri, redirectUriProblem } from "./redirect-uri.ts";

/** The pages of an authorization. */
export const AUTHORIZATION_PATH = "/oauth/authorization";
export const SIGN_IN_PATH = "/oauth/sign-in";
/** Begins a sign-in with an OpenID provider's account, and redirects to the provider's page. */
export const OPENID_PATH = `${SIGN_IN_PATH}/openid`;
export const OPENID_CALLBACK_PATH = `${OPENID_PATH}/callback`;
/** The page that requires a passkey after the password. */
export const SECOND_STEP_PATH = "/oauth/sign-in/passkey";
export const CONNECTED_APPS_PATH = "/oauth/connections";
/** The pages of partners. */
export const PARTNER_PATH = "/partner";
/** Questions and answers for merchants. */
export const HELP_PATH = "/help";
/** The guides and the API reference, in English. */
export const DOCS_PATH = "/docs";
/** The page on which a signed-in merchant confirms their identity. */
export const PROOF_PATH = "/oauth/account/confirm";
export const PASSKEYS_PATH = "/oauth/account/passkeys";
export const PASSWORD_PATH = "/oauth/password";
export const FORGOT_PASSWORD_PATH = "/oauth/password/forgot";
export const LANGUAGE_PATH = "/oauth/language";
export const SIGN_OUT_PATH = "/oauth/sign-out";

export function connectionPath(shopId: string, connectionId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/${connectionId}`;
}

export function disconnectPath(shopId: string, connectionId: string): string {
  return `${connectionPath(shopId, connectionId)}/disconnect`;
}

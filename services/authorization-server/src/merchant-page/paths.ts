/** Pages that other features link or redirect to. */
export const SIGN_IN_PATH = "/oauth/sign-in";
export const CONNECTED_APPS_PATH = "/oauth/connections";
export const PASSWORD_PATH = "/oauth/password";
export const FORGOT_PASSWORD_PATH = "/oauth/password/forgot";
export const LANGUAGE_PATH = "/oauth/language";

/** Who belongs to a shop. */
export function membersPath(shopId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/members`;
}

export const SIGN_IN_PATH = "/oauth/sign-in";
export const CONNECTED_APPS_PATH = "/oauth/connections";
export const PASSWORD_PATH = "/oauth/password";
export const FORGOT_PASSWORD_PATH = "/oauth/password/forgot";
export const LANGUAGE_PATH = "/oauth/language";

export function membersPath(shopId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/members`;
}

export const INVITATION_PATH = "/oauth/invitation";

export function removalPath(shopId: string, merchantId: string): string {
  return `${membersPath(shopId)}/${merchantId}/remove`;
}

/** Nothing is shown there. The answer to its form has a link that can't be shown again. */
export function invitationsPath(shopId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/invitations`;
}

export function withdrawalPath(shopId: string): string {
  return `${invitationsPath(shopId)}/withdraw`;
}

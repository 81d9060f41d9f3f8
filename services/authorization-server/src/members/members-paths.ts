import { CONNECTED_APPS_PATH, membersPath } from "../merchant-page/paths.ts";

/** Where an invitation's link leads. The token is its parameter `link`. */
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

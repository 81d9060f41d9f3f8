import { CONNECTED_APPS_PATH, membersPath } from "../merchant-page/paths.ts";

export const MEMBERS_PATTERN: string = membersPath(":shopId");
export const REMOVAL_PATTERN: string = removalPath(":shopId", ":merchantId");
/** Nothing is shown there. The answer to its form has a link that can't be shown again. */
export const INVITATIONS_PATTERN: string = invitationsPath(":shopId");
export const WITHDRAWAL_PATTERN: string = withdrawalPath(":shopId");

/** Where an invitation's link leads. The token is its parameter `link`. */
export const INVITATION_PATH = "/oauth/invitation";

export function removalPath(shopId: string, merchantId: string): string {
  return `${membersPath(shopId)}/${merchantId}/remove`;
}

export function invitationsPath(shopId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/invitations`;
}

export function withdrawalPath(shopId: string): string {
  return `${invitationsPath(shopId)}/withdraw`;
}

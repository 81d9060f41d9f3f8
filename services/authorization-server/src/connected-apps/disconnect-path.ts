import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";

export const DISCONNECT_PATTERN: string = `${CONNECTED_APPS_PATH}/:shopId/:connectionId/disconnect`;

export function disconnectPath(shopId: string, connectionId: string): string {
  return `${CONNECTED_APPS_PATH}/${shopId}/${connectionId}/disconnect`;
}

/** Below it the authorization server serves logos, to every browser that asks. */
export const LOGOS_PATH = "/oauth/logos/";

/** The path changes with the image, so that browsers may keep what they got without a limit. */
export function logoPath(clientId: string, digest: string): string {
  return `${LOGOS_PATH}${clientId}/${digest}.webp`;
}

/**
 * Where to send the browser: the redirect URI's own bytes with the response's parameters after them. The URI is never
 * parsed and written again, which would change its case, its default port and its escapes.
 */
export function redirectLocation(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (!redirectUri.includes("?")) return `${redirectUri}?${query}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${query}` : `${redirectUri}&${query}`;
}

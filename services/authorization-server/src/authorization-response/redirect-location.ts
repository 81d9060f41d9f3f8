/**
 * The redirect URI's own bytes with the response's parameters after them: to parse and write it would change its case, port and escapes.
 */
export function redirectLocation(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (!redirectUri.includes("?")) return `${redirectUri}?${query}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${query}` : `${redirectUri}&${query}`;
}

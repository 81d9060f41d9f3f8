/** 256 random bits, as base64url: a `state`, or a `code_verifier` (RFC 7636 §4.1). */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256, as base64url. Of a `code_verifier` it is the `code_challenge` (RFC 7636 §4.2, S256). */
export async function digest(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

export function isCodeVerifier(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9._~-]{43,128}$/.test(value);
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

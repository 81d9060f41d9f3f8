/** Who asks for passkeys, as browsers and authenticators know it. */
export interface RelyingParty {
  /** The domain that passkeys belong to. They can't be moved to another one. */
  readonly id: string;
  /** Where our pages may ask for them. No other page's answer counts, whatever host a request names. */
  readonly origins: readonly string[];
}

/** `authUrl`: the auth hostname's, where the pages are too. */
export function relyingParty(publicBaseUrl: string, authUrl: string | null): RelyingParty {
  const { hostname, origin } = new URL(publicBaseUrl);
  return { id: hostname, origins: authUrl === null ? [origin] : [origin, new URL(authUrl).origin] };
}

import type { IssuedTokens } from "./token-endpoint.ts";

/** An access token as calls send it. Times are milliseconds since 1970. */
export interface HeldToken {
  readonly authorization: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

const EARLY_MS = 60_000;

/** Its life is counted from before it was asked for: it ends here no later than on the server, whatever the clocks say. */
export function heldToken({ accessToken, expiresInSeconds, askedAt }: IssuedTokens): HeldToken {
  const lifeMs = expiresInSeconds * 1000;
  const expiresAt = askedAt + lifeMs;
  return { authorization: `Bearer ${accessToken}`, renewAt: expiresAt - Math.min(EARLY_MS, lifeMs / 2), expiresAt };
}

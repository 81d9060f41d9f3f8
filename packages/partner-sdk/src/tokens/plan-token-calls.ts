export interface TokenCallPlan {
  /** Calls a minute that it takes to have a token for every connection at every moment. */
  readonly callsPerMinute: number;
  /** How many connections can have a token at every moment. */
  readonly alwaysLive: number;
  /** Whether all of them can. */
  readonly fits: boolean;
  /** How often a connection can have a new token: read each shop once in this time, in turn, and none is refused. */
  readonly secondsBetweenTokens: number;
  /** How many addresses of yours it takes, each with the limit, for all of them to fit. */
  readonly addresses: number;
}

export function planTokenCalls(options: {
  readonly connections: number;
  /** Default: 10. */
  readonly tokenCallsPerMinute?: number;
  /** `expires_in` of the server. Default: 900. */
  readonly accessTokenSeconds?: number;
}): TokenCallPlan {
  const { connections, tokenCallsPerMinute = 10, accessTokenSeconds = 900 } = options;
  const usedSeconds = accessTokenSeconds - Math.min(60, accessTokenSeconds / 2);
  const alwaysLive = Math.floor((usedSeconds / 60) * tokenCallsPerMinute);
  return {
    callsPerMinute: (connections * 60) / usedSeconds,
    alwaysLive,
    fits: connections <= alwaysLive,
    secondsBetweenTokens: Math.ceil(Math.max(usedSeconds, (connections * 60) / tokenCallsPerMinute)),
    addresses: Math.max(1, Math.ceil(connections / Math.max(1, alwaysLive))),
  };
}

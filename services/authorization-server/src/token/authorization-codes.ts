/** The authorization codes that were issued, as the token endpoint needs them. */
export interface AuthorizationCodes {
  /** Null if there is none, or no longer. A redeemed one is still found for a day, so that a replay is noticed. */
  find(code: string): Promise<IssuedCode | null>;
}

export interface IssuedCode {
  readonly clientId: string;
  readonly shopId: string;
  readonly grantId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly redeemed: boolean;
  /** Past its five minutes. */
  readonly expired: boolean;
  /** Notes that it was redeemed, to recognise a replay. Postgres ensures that it is redeemed only once: see `exchange`. */
  markRedeemed(): Promise<void>;
}

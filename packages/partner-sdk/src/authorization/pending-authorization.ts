/** An authorization that has begun. Plain JSON: keep it in the user's session, and take it out of there when the browser comes back. */
export interface PendingAuthorization {
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

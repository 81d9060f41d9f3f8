/** Spec, Token response. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  /** What was granted; may be less than requested. */
  readonly scope: string;
  /** Only on the exchange of a code. */
  readonly refresh_token?: string;
}

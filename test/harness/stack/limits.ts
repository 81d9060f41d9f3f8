/** Rate limits that no test reaches. */
export const UNLIMITED = {
  AUTHORIZE_RATE_LIMIT: "1000000",
  TOKEN_RATE_LIMIT: "1000000",
  API_RATE_LIMIT: "1000000",
} as const;

export const EXAMPLE = {
  clientId: "client_5f0c1a2b3d4e5f6071829304",
  redirectUri: "https://partner.example/callback",
  email: "anna@shop.example",
  state: "Zk3p8XbV0sWm2QeRt7Yu1A",
  code: "ThisIsAnExampleOfACodeAndNotARealOne-123456",
  /** Of RFC 7636, appendix B. */
  codeVerifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  refreshToken: "pcr_ThisIsAnExampleOfARefreshTokenNotARealOne-0_shop_018c2a90f3b4756e9d21c0de5f6a7b89",
  accessToken: "eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJleGFtcGxlIjp0cnVlfQ.ThisIsAnExampleAndNotASignature",
} as const;

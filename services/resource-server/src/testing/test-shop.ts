export const ISSUER = "https://connect.example";
const AUDIENCE = `${ISSUER}/api`;

export interface TestShop {
  readonly id: string;
  readonly connectionId: string;
  readonly clientId: string;
  readonly apiKeyId: string;
  readonly token: string;
  readonly apiKey: string;
}

/** The claims of a valid access token of the shop's connection; `claims` replaces some of them. */
export function claimsOf(
  shop: Pick<TestShop, "id" | "connectionId" | "clientId">,
  claims: object = {},
): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: shop.id,
    client_id: shop.clientId,
    scope: "responses:read sources:write",
    jti: "token",
    iat: now,
    exp: now + 900,
    connection_id: shop.connectionId,
    grant_id: "grant",
    generation: 1,
    ...claims,
  };
}

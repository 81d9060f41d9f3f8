import type { Client } from "@partner-connect/directory";

export const TEST_CLIENT: Client = {
  clientId: "client_1",
  name: "Lookout",
  status: "active",
  redirectUris: ["https://partner.example/callback", "http://127.0.0.1/callback"],
  scope: ["responses:read"],
  grantTypes: ["authorization_code", "refresh_token"],
  secrets: [{ hash: Buffer.alloc(32), expiresAt: null, lastUsedAt: null }],
  publisher: null,
  website: null,
  privacyPolicy: null,
  contact: null,
  logoPath: null,
};

import { connect } from "@partner-connect/connections/testing";
import { withDatabase } from "@partner-connect/database/testing";
import { hashCredential, newCredential } from "@partner-connect/directory";
import type { StoredConnection } from "@partner-connect/partner-sdk";
import type { StackUnderTest } from "../stack/stacks.ts";
import { onboardClient, onboardMerchant, type PartnerClient } from "./onboarding.ts";

export type ManyConnections = Awaited<ReturnType<typeof connectShops>>;

/** Connects new shops with a client in Postgres only: Redis has none of their refresh tokens. */
export async function connectShops(stack: StackUnderTest, count: number, known?: PartnerClient) {
  const client = known ?? (await onboardClient(stack, { scope: "responses:read" }));
  const { email } = await onboardMerchant(stack);
  return await withDatabase(stack.database_url, async (sql) => {
    const [merchant] = await sql<
      { id: string }[]
    >`SELECT id FROM directory.merchants WHERE email = ${email}`;
    const merchantId = merchant?.id ?? "";
    const shops = await sql<{ id: string; name: string }[]>`
      INSERT INTO directory.shops (name, plan) SELECT 'Shop ' || number, 'standard' FROM generate_series(1, ${count}) number
      RETURNING id, name`;
    const connections = await Promise.all(
      shops.map(async ({ id: shopId, name }): Promise<StoredConnection> => {
        const refreshToken = `${newCredential("pcr")}_${shopId}`;
        const refreshTokenHash = hashCredential(refreshToken);
        const key = { shopId, clientId: client.clientId, merchantId, refreshTokenHash };
        const { connectionId } = await connect(sql, key);
        return {
          id: connectionId,
          shop: { id: shopId, name, domain: null, plan: "standard" },
          scope: "responses:read",
          refreshToken,
          connectedAt: new Date().toISOString(),
        };
      }),
    );
    return { client, connections };
  });
}

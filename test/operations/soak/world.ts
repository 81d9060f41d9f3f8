import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalStack, startLocalStack } from "@partner-connect/local-stack";
import { removeData } from "@partner-connect/local-stack/testing";
import { manyConnections } from "../../harness/actors/many-connections.ts";
import { onboardApiKey, onboardMerchant, onboardShop, type ShopRecord } from "../../harness/actors/onboarding.ts";
import { type Partner, partner } from "../../harness/actors/partner.ts";
import { generateResponses, importRecords } from "../../harness/actors/survey.ts";
import { UNLIMITED } from "../../harness/stack/limits.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";

/** A connection as its partner holds it, with its newest access token. */
export interface HeldConnection {
  readonly shopId: string;
  readonly refreshToken: string;
  accessToken: string;
}

/** A stack with stores of its own, many connections, and a shop that is written to. */
export interface SoakWorld {
  readonly stack: LocalStack;
  readonly state: StackUnderTest;
  readonly app: Partner;
  readonly connections: readonly HeldConnection[];
  readonly written: { readonly shop: ShopRecord; readonly apiKey: string };
  end(): Promise<void>;
}

/** The number of connected shops with responses; the others are empty. */
const SHOPS_WITH_DATA = 8;
export const RESPONSES = 1000;

/** Seconds. Access tokens expire many times in a soak of any length. */
const ACCESS_TOKEN = 60;

export async function soakWorld(connections: number): Promise<SoakWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-soak-"));
  const stack = await startLocalStack({
    dataDir,
    env: { ...UNLIMITED, ACCESS_TOKEN_TTL_SECONDS: String(ACCESS_TOKEN) },
  });
  const end = async (): Promise<void> => {
    await stack.stop();
    await removeData(dataDir);
  };
  try {
    const state: StackUnderTest = { ...stack.state, dataDir };
    const { client, connections: made } = await manyConnections(state, connections);
    const merchant = await onboardMerchant(state);
    const shop = await onboardShop(state, merchant, "advanced_attribution");
    const { key } = await onboardApiKey(state, shop);
    const records = await generateResponses(RESPONSES, "soak");
    for (const { shop: each } of [...made.slice(0, SHOPS_WITH_DATA), { shop }]) {
      await importRecords(state, "response", each, records);
    }
    return {
      stack,
      state,
      app: partner(state, client),
      connections: made.map(({ shop: { id }, refreshToken }) => ({ shopId: id, refreshToken, accessToken: "" })),
      written: { shop, apiKey: key },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

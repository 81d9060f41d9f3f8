import { isFaultOfANode } from "@partner-connect/database";
import DataLoader from "dataloader";

export interface PresentedToken {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the refresh token. */
  readonly refreshTokenHash: Buffer;
}

const MOST_IN_A_STATEMENT = 100;

/**
 * Asks for the tokens of one turn of the event loop with one statement, which begins after each of them was asked for. Of a cluster's
 * node that is away, only its own tokens have the error.
 */
export function asksTogether<Found>(
  ask: (tokens: readonly PresentedToken[]) => Promise<readonly Found[]>,
): (token: PresentedToken) => Promise<Found> {
  const askEach = async (tokens: readonly PresentedToken[]): Promise<readonly (Found | Error)[]> => {
    try {
      return await ask(tokens);
    } catch (error) {
      if (tokens.length === 1 || !isFaultOfANode(error)) throw error;
      const each = await Promise.allSettled(tokens.map((token) => ask([token])));
      return each.map((asked) => (asked.status === "fulfilled" ? (asked.value[0] as Found) : asked.reason));
    }
  };
  const loader = new DataLoader<PresentedToken, Found>(askEach, {
    cache: false,
    maxBatchSize: MOST_IN_A_STATEMENT,
    batchScheduleFn: (askNow) => void setImmediate(askNow),
  });
  return (token) => loader.load(token);
}

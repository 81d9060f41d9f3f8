import { isFaultOfANode, within } from "@partner-connect/database";

export interface PresentedToken {
  readonly shopId: string;
  readonly clientId: string;
  /** SHA-256 of the refresh token. */
  readonly refreshTokenHash: Buffer;
}

/** Unless more are asked for at once. */
const MOST_IN_A_STATEMENT = 100;

/** How long the tokens of one turn wait for Postgres, milliseconds. */
const DEADLINE_MS = 1500;

/** A question about tokens. The answers are in the tokens' order; an error is what Postgres failed with. */
type AskTokens<Found> = (tokens: readonly PresentedToken[]) => Promise<readonly (Found | Error)[]>;

/**
 * Asks for the tokens of one turn of the event loop with one statement, which begins after each of them was asked for. Of a cluster's
 * node that is away, only its own tokens have the error.
 */
export function asksTogether<Found>(
  ask: (tokens: readonly PresentedToken[]) => Promise<readonly Found[]>,
): AskTokens<Found> {
  const askEach: AskTokens<Found> = async (tokens) => {
    try {
      return await ask(tokens);
    } catch (error) {
      if (tokens.length === 1 || !isFaultOfANode(error)) throw error;
      const each = await Promise.allSettled(tokens.map((token) => ask([token])));
      return each.map((asked) => (asked.status === "fulfilled" ? (asked.value[0] as Found) : asked.reason));
    }
  };
  let turn: { readonly tokens: PresentedToken[]; readonly answers: Promise<readonly (Found | Error)[]> } | null = null;
  const beginTurn = (): NonNullable<typeof turn> => {
    const tokens: PresentedToken[] = [];
    const answers = new Promise<void>((resolve) => void setImmediate(resolve)).then(async () => {
      if (turn?.tokens === tokens) turn = null;
      return await within(DEADLINE_MS, askEach(tokens)).catch((error) => tokens.map(() => error));
    });
    return { tokens, answers };
  };
  return async (asked) => {
    if (asked.length === 0) return [];
    if (!turn || turn.tokens.length + asked.length > MOST_IN_A_STATEMENT) turn = beginTurn();
    const { tokens, answers } = turn;
    const from = tokens.push(...asked) - asked.length;
    return (await answers).slice(from, from + asked.length);
  };
}

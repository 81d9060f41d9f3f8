import type { Clock } from "../clock.ts";
import type { ListedConnection } from "../partner-api/records.ts";

export interface LiveConnections {
  readonly clock: Clock;
  /** Those that the server calls connected. */
  connected(signal: AbortSignal): AsyncIterable<ListedConnection>;
  /** Gets the connection's access token. */
  prepare(connectionId: string): void;
}

const DAY_MS = 24 * 60 * 60_000;
/** Half of a refresh token's life. */
const LAPSES_SOON_MS = 15 * DAY_MS;
const RETRY_MS = 60_000;

/**
 * Once a day uses the refresh tokens that lapse soon, until `signal`. A shop in which nothing happens is not in the feed, so its tokens are
 * asked for by nobody else.
 */
export async function keepAlive(
  { clock, connected, prepare }: LiveConnections,
  signal: AbortSignal,
  trouble: (error: unknown) => void | Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    let pauseMs = DAY_MS;
    try {
      for await (const { id, expires_at } of connected(signal)) {
        if (expires_at !== null && Date.parse(expires_at) < clock.now() + LAPSES_SOON_MS) prepare(id);
      }
    } catch (error) {
      if (signal.aborted) return;
      await trouble(error);
      pauseMs = RETRY_MS;
    }
    await clock.sleep(pauseMs, signal).catch(() => {});
  }
}

import type { Logger } from "@partner-connect/service-runtime";

/** Something that may be sent. */
interface Due {
  readonly id: string;
  /** Its last attempt failed. */
  readonly isFailing: boolean;
}

interface Sending<Item extends Due> {
  /** Such as 'hints', for the log. */
  readonly what: string;
  readonly pollMs: number;
  /** How many are sent at a time. Those whose last attempt failed have places of their own, so that they never keep the others waiting. */
  readonly places: { readonly working: number; readonly failing: number };
  /** Those that have waited longest. */
  readonly due: (isFailing: boolean, limit: number) => Promise<readonly Item[]>;
  /** Never rejects. */
  readonly send: (item: Item) => Promise<void>;
  readonly logger: Logger;
}

export interface Sender {
  /** Ends after the attempts under way. */
  close(): Promise<void>;
}

/** Sends what is due. Any number of processes may do so, as what is due has a lease. */
export function startSender<Item extends Due>(sending: Sending<Item>): Sender {
  const { what, pollMs, places, due, send, logger } = sending;
  const underWay = new Map<string, { readonly isFailing: boolean; readonly done: Promise<void> }>();
  const end = Promise.withResolvers<void>();
  let isEnding = false;

  const begin = (item: Item) => {
    const done = send(item).finally(() => underWay.delete(item.id));
    underWay.set(item.id, { isFailing: item.isFailing, done });
  };
  const look = async (isFailing: boolean, all: number) => {
    const busy = [...underWay.values()].filter((each) => each.isFailing === isFailing).length;
    if (busy >= all) return;
    const found = await due(isFailing, all);
    const free = found.filter(({ id }) => !underWay.has(id)).slice(0, all - busy);
    if (!isEnding) free.forEach(begin);
  };
  const run = async () => {
    let hasFailed = false;
    while (!isEnding) {
      try {
        await look(false, places.working);
        await look(true, places.failing);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) logger.warn({ err: error }, `which ${what} are due can't be read`);
        hasFailed = true;
      }
      await Promise.race([end.promise, new Promise((resolve) => setTimeout(resolve, pollMs))]);
    }
  };
  const running = run();
  return {
    async close() {
      isEnding = true;
      end.resolve();
      await running;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}

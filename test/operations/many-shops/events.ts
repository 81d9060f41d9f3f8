import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionStore } from "@partner-connect/partner-sdk";
import type { Repeat, Shops, TrialShop } from "./shops.ts";

/** How often each kind of event comes, of all. */
const SHARES = { import: 40, recategorize: 20, delete: 15, "import again": 5, revoke: 8, connect: 12 } as const;

type Kind = keyof typeof SHARES;

const IS_POSSIBLE: Readonly<Record<Kind, (shop: TrialShop) => boolean>> = {
  import: () => true,
  recategorize: ({ kept }) => kept.size > 0,
  delete: ({ kept }) => kept.size > 0,
  "import again": ({ deleted }) => deleted.size > 0,
  revoke: ({ isConnected }) => isConnected,
  connect: ({ isConnected }) => !isConnected,
};

const KINDS = Object.keys(SHARES) as Kind[];

export interface Events {
  readonly counts: Readonly<Record<Kind, number>>;
  /** Tries that failed while a store was away, and were repeated. */
  readonly repeated: number;
  /** Waits for the last ones. */
  stop(): Promise<void>;
}

export interface EventsOptions {
  readonly shops: Shops;
  readonly all: readonly TrialShop[];
  /** The partner's, which its other processes use too. */
  readonly store: ConnectionStore;
  readonly random: () => number;
  /** Between two events of one of the callers. */
  readonly everyMs: number;
  readonly callers: number;
}

/** Events in random order, each at a random shop. A shop has one at a time. */
export function keepHappening(options: EventsOptions): Events {
  const { random, all } = options;
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const busy = new Set<TrialShop>();
  let [isOver, repeated, named] = [false, 0, 0];
  const repeat: Repeat = async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 100) throw error;
        repeated++;
        await sleep(200);
      }
    }
  };
  const happen = happenings(options, repeat, () => `r${named++}`);
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const kind = kindOf(random());
      const possible = all.filter((one) => !busy.has(one) && IS_POSSIBLE[kind](one));
      const shop = possible[Math.floor(random() * possible.length)];
      if (shop) {
        busy.add(shop);
        await happen[kind](shop);
        busy.delete(shop);
        counts[kind]++;
      }
      await sleep(options.everyMs);
    }
  };
  const callers = Array.from({ length: options.callers }, caller);
  return {
    counts,
    get repeated() {
      return repeated;
    },
    async stop() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

function happenings(
  { shops, store, random }: EventsOptions,
  repeat: Repeat,
  newId: () => string,
): Record<Kind, (shop: TrialShop) => Promise<void>> {
  const word = () => `Answer ${Math.floor(random() * 1000)}`;
  /** The first one, and some others. */
  const some = (ids: ReadonlySet<string>) => [...ids].filter((_, index) => index === 0 || random() < 0.3);
  const imported = async (shop: TrialShop, ids: readonly string[]): Promise<void> => {
    const response = word();
    await repeat(() => shops.import(shop, ids, response));
    for (const id of ids) {
      shop.kept.add(id);
      shop.deleted.delete(id);
    }
  };
  return {
    import: async (shop) => await imported(shop, Array.from({ length: 1 + Math.floor(random() * 8) }, newId)),
    "import again": async (shop) => await imported(shop, some(shop.deleted)),
    async recategorize(shop) {
      const [ids, response] = [some(shop.kept), word()];
      await repeat(() => shops.recategorize(shop, ids, response));
    },
    async delete(shop) {
      const ids = some(shop.kept);
      await repeat(() => shops.delete(shop, ids));
      for (const id of ids) {
        shop.kept.delete(id);
        shop.deleted.add(id);
      }
    },
    async revoke(shop) {
      await repeat(() => shops.revoke(shop));
      shop.isConnected = false;
    },
    async connect(shop) {
      shop.connection = await shops.connect(shop, repeat);
      await store.put(shop.connection);
      shop.isConnected = true;
    },
  };
}

function kindOf(drawn: number): Kind {
  let left = drawn * Object.values(SHARES).reduce((sum, share) => sum + share, 0);
  for (const kind of KINDS) {
    left -= SHARES[kind];
    if (left < 0) return kind;
  }
  return "import";
}

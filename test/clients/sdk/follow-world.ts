import { setTimeout as sleep } from "node:timers/promises";
import {
  type Clock,
  type FollowOptions,
  type FollowState,
  MemoryStore,
  PartnerConnect,
  type StoredConnection,
} from "@partner-connect/partner-sdk";
import { expect } from "vitest";
import { connectShops } from "../../harness/actors/many-connections.ts";
import { onboardClient, type PartnerClient } from "../../harness/actors/onboarding.ts";
import { mainStack } from "../../harness/stack/stacks.ts";
import { Copy } from "./sync-world.ts";

const stack = mainStack();

interface Following extends Partial<FollowOptions> {
  /** Default: a new one. */
  readonly partner?: PartnerConnect;
}

/** A partner with its own client: its store, its copies in memory, and the reported changes. */
export class Follower {
  readonly client: PartnerClient;
  readonly connections: StoredConnection[] = [];
  readonly store = new MemoryStore();
  readonly copies = new Map<string, Copy>();
  readonly told: string[] = [];
  readonly troubles: [string | null, string][] = [];
  state: FollowState | null = null;

  private constructor(client: PartnerClient) {
    this.client = client;
  }

  static async with(count: number): Promise<Follower> {
    const follower = new Follower(await onboardClient(stack, { scope: "responses:read" }));
    await follower.connect(count);
    await follower.#untilTold();
    return follower;
  }

  /** Waits until the feed lists each new connection: `follow` may copy one from the store first. */
  async #untilTold(): Promise<void> {
    const untold = new Set<string | null>(this.connections.map(({ id }) => id));
    const partner = this.process();
    for (let after: string | null = null; untold.size > 0; ) {
      const page = await partner.changes({ after, wait: 10, limit: 1000 });
      for (const { connection_id: id } of page.data) untold.delete(id);
      after = page.cursor;
    }
  }

  async connect(count: number): Promise<readonly StoredConnection[]> {
    const { connections } = await connectShops(stack, count, this.client);
    this.connections.push(...connections);
    for (const connection of connections) await this.store.put(connection);
    return connections;
  }

  /** @param sees is called with each request before it is sent */
  process(
    sees: (url: string, init?: RequestInit) => unknown = () => {},
    clock?: Clock,
  ): PartnerConnect {
    return new PartnerConnect({
      baseUrl: stack.base_url,
      clientId: this.client.clientId,
      clientSecret: this.client.secret,
      store: this.store,
      tokenCallsPerMinute: 600,
      ...(clock && { clock }),
      fetch(input, init) {
        sees(String(input), init);
        return fetch(input, init);
      },
    });
  }

  /** True if the copy has exactly these responses. */
  has({ id }: StoredConnection, ...ids: string[]): boolean {
    return [...(this.copies.get(id)?.records.keys() ?? [])].sort().join() === ids.sort().join();
  }

  pending(): string[] {
    return this.state?.pending.map(({ connection_id }) => connection_id) ?? [];
  }

  async until(
    holds: () => boolean | Promise<boolean>,
    { partner = this.process(), ...options }: Following = {},
  ): Promise<void> {
    const stop = new AbortController();
    const following = partner.follow({ ...this.options(), ...options, signal: stop.signal });
    try {
      await Promise.race([
        following,
        expect.poll(holds, { interval: 20, timeout: 40_000 }).toBe(true),
      ]);
    } finally {
      stop.abort();
      await following;
    }
  }

  options(): FollowOptions {
    return {
      loadState: () => this.state,
      saveState: (state, previous) => {
        if (JSON.stringify(previous) !== JSON.stringify(this.state)) return false;
        this.state = JSON.parse(JSON.stringify(state));
        return true;
      },
      loadCopyState: (id) => this.copies.get(id)?.state ?? null,
      apply: (batch, { connectionId, previous }) => {
        const copy = this.copies.get(connectionId) ?? new Copy();
        if (JSON.stringify(copy.state) !== JSON.stringify(previous)) return false;
        copy.apply(batch);
        this.copies.set(connectionId, copy);
        return true;
      },
      onConnectionChange: ({ connectionId, status }) =>
        void this.told.push(`${connectionId} ${status}`),
      onError: (error, id) => void this.troubles.push([id, (error as Error).name]),
    };
  }
}

/** Shortens every wait to a moment. */
export const IMPATIENT: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => await sleep(Math.min(ms, 50), undefined, signal && { signal }),
};

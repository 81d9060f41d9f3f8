import type { LocalStackState } from "@partner-connect/local-stack";

const KINDS = { token: /^\/oauth\/api\/token/, feed: /^\/oauth\/api\/(changes|connections)/, api: /^\/api\// } as const;

export type CallKind = keyof typeof KINDS;

export interface CountedCalls {
  readonly fetch: typeof globalThis.fetch;
  readonly counts: Readonly<Record<CallKind, number>>;
  /** Answers with 429. */
  readonly refused: number;
}

/**
 * A partner's network, at an address of its own: it counts calls, and sends them straight to the replicas, as a gateway would. The local
 * stack's is none of production's.
 */
export function countedCalls(state: LocalStackState, address: string): CountedCalls {
  const counts: Record<CallKind, number> = { token: 0, feed: 0, api: 0 };
  let refused = 0;
  let turn = 0;
  return {
    counts,
    get refused() {
      return refused;
    },
    async fetch(input, init) {
      const asked = new URL(input instanceof Request ? input.url : input);
      const kinds = Object.keys(KINDS) as CallKind[];
      const kind = kinds.find((one) => KINDS[one].test(asked.pathname));
      if (!kind) throw new Error(`no kind of call: ${asked.pathname}`);
      counts[kind]++;
      const replicas = kind === "api" ? state.resource_server_urls : state.authorization_server_urls;
      const replica = replicas[turn++ % replicas.length];
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), "x-forwarded-for": address };
      const answer = await globalThis.fetch(`${replica}${asked.pathname}${asked.search}`, { ...init, headers });
      if (answer.status === 429) refused++;
      return answer;
    },
  };
}

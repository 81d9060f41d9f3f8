import { once } from "node:events";
import { connect } from "node:net";

/** How long a replica that failed comes last: about as long as it takes to be started again. */
const AVOID_MS = 1000;
/** Longer than a replica that is about to close still answers. A write that meets its close could not be repeated. */
const LEAVING_MS = 5000;
const CONNECT_LIMIT_MS = 500;

export type LoadBalancer = ReturnType<typeof loadBalancer>;

export function loadBalancer(urls: readonly string[]) {
  const avoidUntil = new Map<string, number>();
  let turn = 0;

  /** All replicas: each comes first in turn, and those that failed a moment ago come last. */
  function order(): string[] {
    turn = (turn + 1) % urls.length;
    const rotated = [...urls.slice(turn), ...urls.slice(0, turn)];
    const now = Date.now();
    const until = (url: string) => avoidUntil.get(url) ?? 0;
    const avoided = rotated.filter((url) => until(url) > now);
    // The first one that left is the first one to be started again.
    avoided.sort((one, other) => until(one) - until(other));
    return [...rotated.filter((url) => until(url) <= now), ...avoided];
  }

  const avoid = (url: string, milliseconds: number): void => void avoidUntil.set(url, Date.now() + milliseconds);
  const failed = (url: string): void => avoid(url, AVOID_MS);

  return {
    order,
    failed,
    leaving: (url: string): void => avoid(url, LEAVING_MS),
    /** As `order`, but the first one accepts connections now: for a request that can be sent only once. */
    async acceptingFirst(): Promise<string[]> {
      const all = order();
      for (const url of all) {
        if (await accepts(url)) return [url, ...all.filter((other) => other !== url)];
        failed(url);
      }
      return all;
    },
  };
}

async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const connected = once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_LIMIT_MS) });
  return await connected
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

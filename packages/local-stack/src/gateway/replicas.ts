import { connect } from "node:net";

/** Addresses of one service, and which of them to try for a request. */
export interface Replicas {
  /** All of them: by turns who comes first, those that failed just now last. */
  order(): string[];
  /** The same, but first one that takes connections now: for a request that can be sent only once. */
  acceptingFirst(): Promise<string[]>;
  /** It did not take a request. */
  failed(url: string): void;
  /** It said that it is about to close. */
  leaving(url: string): void;
}

/** How long one that failed comes last. Its supervisor starts it again in about this time. */
const AVOID_MS = 1000;
/** Longer than one that leaves answers on: a request that meets its close could not be repeated if it is a write. */
const LEAVING_MS = 5000;
const CONNECT_LIMIT_MS = 500;

export function replicas(urls: readonly string[]): Replicas {
  const avoidUntil = new Map<string, number>();
  let turn = 0;

  function order(): string[] {
    turn = (turn + 1) % urls.length;
    const rotated = [...urls.slice(turn), ...urls.slice(0, turn)];
    const now = Date.now();
    const until = (url: string) => avoidUntil.get(url) ?? 0;
    const avoided = rotated.filter((url) => until(url) > now);
    // Who left first is back first.
    avoided.sort((one, other) => until(one) - until(other));
    return [...rotated.filter((url) => until(url) <= now), ...avoided];
  }

  const avoid = (url: string, milliseconds: number): void => void avoidUntil.set(url, Date.now() + milliseconds);
  const failed = (url: string): void => avoid(url, AVOID_MS);

  return {
    order,
    failed,
    leaving: (url) => avoid(url, LEAVING_MS),
    async acceptingFirst() {
      const all = order();
      for (const url of all) {
        if (await accepts(url)) return [url, ...all.filter((other) => other !== url)];
        failed(url);
      }
      return all;
    },
  };
}

function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: CONNECT_LIMIT_MS });
    const settle = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once("connect", () => settle(true));
    socket.once("timeout", () => settle(false));
    socket.once("error", () => settle(false));
  });
}

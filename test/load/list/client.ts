import { Agent, get } from "node:http";

export interface TimedAnswer {
  readonly ms: number;
  readonly chunks: readonly Buffer[];
}

/** A caller that sends one request after the other on one connection, and drops the answers. */
export interface Client {
  /** @throws unless the status is 200 */
  get(path: string): Promise<TimedAnswer>;
  close(): void;
}

export function client(url: string, authorization: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        get(url + path, { agent, headers: { authorization } }, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () => {
            if (response.statusCode === 200) resolve({ ms: performance.now() - began, chunks });
            else reject(new Error(`${path}: ${response.statusCode} ${Buffer.concat(chunks)}`));
          });
        }).on("error", reject);
      }),
    close: () => agent.destroy(),
  };
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface AlteredReplica {
  readonly url: string;
  close(): Promise<void>;
}

export interface Alteration {
  /** What it says in place of this. */
  readonly text?: (path: string, text: string) => string;
  /** Seconds by which its clock is wrong. */
  readonly secondsAhead?: number;
}

/** The internal port of a replica, behind a server that changes what it says: a replica that differs in one thing alone. */
export async function alteredReplica(internalUrl: string, alteration: Alteration): Promise<AlteredReplica> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const answer = await fetch(internalUrl + path);
    const text = await answer.text();
    const date = new Date(Date.now() + (alteration.secondsAhead ?? 0) * 1000);
    response
      .writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "text/plain",
        date: date.toUTCString(),
      })
      .end(alteration.text?.(path, text) ?? text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { connect, createServer, type Socket } from "node:net";

export type Door = Awaited<ReturnType<typeof doorTo>>;

/** A TCP proxy in front of a store that hangs, loses its connections or is replaced. */
export async function doorTo(store: string | undefined) {
  let target = new URL(store ?? "");
  const sockets = new Set<Socket>();
  /** A connection passes data only while this has the same value as when it was opened. */
  let generation = 0;
  let isFrozen = false;
  let [connections, chunks] = [0, 0];

  const forward = (from: Socket, to: Socket, opened: number): void => {
    sockets.add(from);
    from.setNoDelay();
    from.on("data", (chunk) => {
      if (opened === generation && !isFrozen) to.write(chunk);
    });
    from
      .on("error", () => {})
      .on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
  };
  const server = createServer((caller) => {
    const upstream = connect(Number(target.port), target.hostname);
    connections++;
    caller.on("data", () => void chunks++);
    forward(caller, upstream, generation);
    forward(upstream, caller, generation);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const port = String((server.address() as { port: number }).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    /** The store's URL, through the proxy. */
    url: Object.assign(new URL(target), { hostname: "127.0.0.1", port }).href,
    port,
    /** Connections opened so far. */
    get connections() {
      return connections;
    },
    /** Chunks sent to the store so far. */
    get chunks() {
      return chunks;
    },
    /** Drops all data from now on, on open connections or on new ones too, and closes nothing. */
    freeze(which: "open" | "all"): void {
      generation++;
      isFrozen = which === "all";
    },
    /** Lets new connections through again. */
    thaw(): void {
      generation++;
      isFrozen = false;
    },
    /** Closes the open connections; new ones are let through. */
    cut,
    leadTo(other: string): void {
      target = new URL(other);
    },
    /** Closes the open connections and refuses new ones. */
    close(): void {
      server.close();
      cut();
    },
  };
}

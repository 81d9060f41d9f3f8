import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy before a store, for tests of what happens while the store hangs, loses its connections or has another one in its place. */
export interface Door {
  /** The store's URL, through the proxy. */
  readonly url: string;
  readonly port: string;
  /** How many connections were opened. */
  readonly connections: number;
  /** How often the store was sent something. */
  readonly chunks: number;
  /** Drops everything from now on, without closing anything: on the open connections, or on new ones as well. */
  freeze(which: "open" | "all"): void;
  /** Lets new connections through again. */
  thaw(): void;
  /** Closes the open connections; new ones are let through. */
  cut(): void;
  /** New connections lead to another store; the open ones stay where they are. */
  leadTo(store: string): void;
  /** Closes the open connections and refuses new ones. */
  close(): void;
}

export async function doorTo(store: string | undefined): Promise<Door> {
  let target = new URL(store ?? "");
  const sockets = new Set<Socket>();
  /** A connection passes data only while this is what it was when the connection was opened. */
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
    url: Object.assign(new URL(target), { hostname: "127.0.0.1", port }).href,
    port,
    get connections() {
      return connections;
    },
    get chunks() {
      return chunks;
    },
    freeze(which) {
      generation++;
      isFrozen = which === "all";
    },
    thaw() {
      generation++;
      isFrozen = false;
    },
    cut,
    leadTo(other) {
      target = new URL(other);
    },
    close() {
      server.close();
      cut();
    },
  };
}

import { connect, createServer, type Server, type Socket } from "node:net";

export interface Door {
  readonly port: string;
  /** How many connections came. */
  readonly connections: number;
  /** How often something came in. */
  readonly chunks: number;
  /** From now on nothing passes, and nobody is told: on open connections, or on new ones as well. */
  freeze(which: "open" | "all"): void;
  /** New connections pass again. */
  thaw(): void;
  /** From now on nothing passes on any connection, until it goes on; nothing is lost. */
  hold(): void;
  goOn(): void;
  /** Ends the open connections. */
  cut(): void;
  close(): void;
}

/** A store behind a door that can be closed without a word. */
export async function doorTo(store: string | undefined): Promise<Door> {
  const target = new URL(store ?? "");
  const sockets = new Set<Socket>();
  let generation = 0;
  let staysFrozen = false;
  let isHeld = false;
  let [connections, chunks] = [0, 0];
  const door: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const mine = generation;
    connections++;
    near.on("data", () => void chunks++);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay();
      if (isHeld) from.pause();
      from.on("data", (chunk) => void (mine === generation && !staysFrozen && to.write(chunk)));
      from.on("close", () => to.destroy()).on("error", () => {});
    }
  });
  await new Promise<void>((resolve) => void door.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    port: String((door.address() as { port: number }).port),
    get connections() {
      return connections;
    },
    get chunks() {
      return chunks;
    },
    freeze(which) {
      generation++;
      staysFrozen = which === "all";
    },
    thaw() {
      generation++;
      staysFrozen = false;
    },
    hold() {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    goOn() {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    close() {
      door.close();
      cut();
    },
  };
}

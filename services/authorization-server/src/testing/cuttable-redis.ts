import { connect, createServer, type Socket } from "node:net";

/** A way to the run's Redis that can be cut. */
export interface CuttableRedis {
  readonly url: string;
  /** Ends every connection and takes no new one. */
  cut(): Promise<void>;
}

export async function cuttableRedis(url = process.env["TEST_REDIS_URL"] ?? ""): Promise<CuttableRedis> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(Number(target.port), target.hostname);
    for (const socket of [inward, outward]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    inward.pipe(outward).pipe(inward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.hostname = "127.0.0.1";
  own.port = String((server.address() as { port: number }).port);
  return {
    url: own.href,
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

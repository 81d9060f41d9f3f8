import { createServer } from "node:net";

/** A port of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { readiness } from "./readiness.ts";

test("a part that answered while the process was busy works", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  const [store] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => void store.destroy());
  const ask = async () => void (await once(client, "data"));
  const failing = readiness({ store: ask })([]);
  store.write("PONG");
  for (const end = performance.now() + 1600; performance.now() < end; );
  expect(await failing).toEqual([]);
  expect(await readiness({ store: ask })([])).toEqual(["store"]);
});

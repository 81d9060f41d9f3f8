import { dripAtServer } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { startReplicas } from "./testing/replicas.ts";

test("a connection that the server has ended is gone a second later, though its client goes on sending", async () => {
  const replicas = await startReplicas(1);
  const url = await replicas.apps[0]?.listen({ host: "127.0.0.1", port: 0 });
  const lasting = await dripAtServer(Number(new URL(url ?? "").port));
  await replicas.stop();
  expect(lasting).toEqual([]);
}, 60_000);

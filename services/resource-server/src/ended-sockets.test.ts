import { dripAtServer } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { testResourceServer } from "./testing.ts";

test("a connection that the server has ended is gone a second later, though its client goes on sending", async () => {
  const server = await testResourceServer();
  const lasting = await dripAtServer(Number(new URL(server.url).port));
  await server.close();
  expect(lasting).toEqual([]);
}, 60_000);

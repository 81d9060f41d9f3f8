import { dripAtServer } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { testResourceServer } from "./testing.ts";

test("a connection that the server has ended is gone a second later, though its client goes on sending [http.ended]", async () => {
  const server = await testResourceServer();
  const lasted = await dripAtServer(Number(new URL(server.url).port));
  await server.close();
  // One that is not ended lasts for ten seconds here.
  for (const [opening, milliseconds] of Object.entries(lasted))
    expect([opening, milliseconds < 6000]).toEqual([opening, true]);
}, 60_000);

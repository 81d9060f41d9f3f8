import { sendLargest } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { REDIRECT_URI, suiteReplicas } from "./testing/replicas.ts";

const replicas = await suiteReplicas(1, { LOG_LEVEL: "info" });

test("the largest requests that strangers can send leave records of less than a kilobyte each", async () => {
  const { clientId } = await replicas.registerClient();
  const [app] = replicas.apps;
  if (!app) throw new Error("no replica");
  const large = "a".repeat(14_000);
  const requests = [
    { client_id: large },
    { client_id: clientId, redirect_uri: `https://${"a.".repeat(5000)}example/${large}` },
    { client_id: clientId, redirect_uri: `https://partner.example/${"é".repeat(4000)}` },
    { client_id: clientId, redirect_uri: REDIRECT_URI, state: large },
    { client_id: clientId, redirect_uri: REDIRECT_URI, state: "a", response_type: "code", scope: large },
    { request: large, token: large },
  ];
  await sendLargest(
    app,
    requests.map((request) => String(new URLSearchParams(request))),
  );
  expect(replicas.records.length).toBeGreaterThan(500);
  const longest = Math.max(...replicas.records.map((record) => JSON.stringify(record).length));
  expect(longest).toBeLessThan(1000);
});

import { addActivity } from "@partner-connect/connections/activity";
import { expect, onTestFinished, test, vi } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";

const fixture = await suiteFixture({ env: { TOKEN_RATE_LIMIT: "7" } });

const HOUR_MS = 3_600_000;

test("what an app did is told by the hour and by the day, beside its limits; the page stays small", async () => {
  const { client, open } = await partnerFixture(fixture);
  expect((await open("usage")).html).toContain("has done nothing");
  // The page is of the hour in which it is asked for.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const counted = [];
  for (let hours = 0; hours < 24 * 31; hours++) {
    const at = { clientId: client.clientId, hour: hour - hours * HOUR_MS, examples: [] };
    counted.push({ ...at, what: "calls" as const, reason: "", count: 123_456 });
    counted.push({ ...at, what: "refreshes" as const, reason: "", count: 11 });
    counted.push({ ...at, what: "exchanges" as const, reason: "", count: 1 });
    counted.push({ ...at, what: "limited" as const, reason: "api", count: 2 });
    counted.push({ ...at, what: "limited" as const, reason: "exports", count: 3 });
  }
  await addActivity(fixture.replicas.sql, counted);
  const hours = await open("usage");
  const rowsOf = (html: string) => [...html.matchAll(/<tr[\s>].*?<\/tr>/gs)].map(([row]) => row);
  const cells = (row = "") => [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell);
  expect(rowsOf(hours.html)).toHaveLength(2 + 48);
  expect(cells(rowsOf(hours.html)[2])).toEqual(['<data value="123456">123K</data>', "0", "0", "5", "0", "12", "0"]);
  expect(cells(rowsOf(hours.html)[1]).at(5)).toBe("576");
  expect(hours.html).toContain("7 calls a minute from each IP address of yours");
  const days = await open("usage?by=day");
  expect(rowsOf(days.html)).toHaveLength(2 + 30);
  expect(cells(rowsOf(days.html)[3]).at(5)).toBe("288");
  for (const { html } of [hours, days]) expect(html.length).toBeLessThan(20 * 1024);
});

import { expect, test } from "vitest";
import { ChannelCounter } from "./channel-breakdown.tool.ts";

const record = (response: string | null) => ({
  response,
  original_response: null,
  utm_source: "x",
  utm_medium: null,
  utm_campaign: null,
});

test("responses are counted by their value, the most frequent first, what is not shown together", () => {
  const counter = new ChannelCounter("response");
  for (const value of ["TV", "Podcast", "TV", null, "__proto__", "Podcast", "TV"]) counter.add(record(value));
  expect(counter.counts(2)).toEqual({
    responses_counted: 7,
    groups: [
      { value: "TV", responses: 3, share: 0.4286 },
      { value: "Podcast", responses: 2, share: 0.2857 },
    ],
    further: { groups: 2, responses: 2 },
  });
  expect(counter.counts(4).groups.slice(2)).toEqual([
    { value: null, responses: 1, share: 0.1429 },
    { value: "__proto__", responses: 1, share: 0.1429 },
  ]);
  expect(counter.counts(4).further).toBeNull();
});

test("nothing counted is nothing found", () => {
  expect(new ChannelCounter("utm_source").counts(5)).toEqual({ responses_counted: 0, groups: [], further: null });
});

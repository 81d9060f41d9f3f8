import { expect, test } from "vitest";
import { planTokenCalls } from "./plan-token-calls.ts";

test("10 calls a minute carry 140 connections of 900 seconds, renewed a minute early [sdk.token-plan]", () => {
  expect(planTokenCalls({ connections: 140 })).toEqual({
    callsPerMinute: 10,
    alwaysLive: 140,
    fits: true,
    secondsBetweenTokens: 840,
    addresses: 1,
  });
  expect(planTokenCalls({ connections: 141 }).fits).toBe(false);
});

test("500 connections have a token each in turn every 50 minutes, or need four addresses", () => {
  expect(planTokenCalls({ connections: 500 })).toMatchObject({ fits: false, secondsBetweenTokens: 3000, addresses: 4 });
  expect(planTokenCalls({ connections: 500, tokenCallsPerMinute: 40 })).toMatchObject({ fits: true, addresses: 1 });
});

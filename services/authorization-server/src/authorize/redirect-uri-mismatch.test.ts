import { describe, expect, test } from "vitest";
import { explainMismatch } from "./redirect-uri-mismatch.ts";

const REGISTERED = ["https://partner.example/callback", "http://localhost:3000/cb"];

describe("what a developer is told about a redirect_uri that is not registered", () => {
  test.each([
    ["https://partner.example/callback/", 'the path ends in "/"'],
    ["http://partner.example/callback", "the scheme is http, not https"],
    ["https://partner.example:3001/callback", "port 3001 is not registered"],
    ["https://partner.example/other", "path /other is not registered"],
    ["https://partner.example/callback?x=1", "the query differs"],
    ["https://www.partner.example/callback", "host www.partner.example is not registered"],
    ["https://u@partner.example/callback", "it has a user name or password"],
    ["https://partner.example/callback#a", "it has a fragment"],
    ["https://Partner.example/callback", "it is spelled differently (case, encoding or a default port)"],
    ["/callback", "it is not an absolute URL"],
  ])("%s: %s", (presented, explanation) => {
    expect(explainMismatch(presented, REGISTERED)).toBe(explanation);
  });
});

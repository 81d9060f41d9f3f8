import { readFileSync } from "node:fs";
import { DOCUMENT_FILE } from "@partner-connect/public-api";
import { describe, expect, test } from "vitest";
import { developerDocs } from "../developer-docs.ts";

const docs = developerDocs({
  baseUrl: "https://connect.example",
  supportUrl: null,
  document: () => JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")),
});
const found = async (query: string) => (await docs.search(query)).body.bytes.toString();
const linksOf = (page: string) =>
  [...(page.split('<ol class="found">')[1] ?? "").matchAll(/<li><a href="([^"]+)">.*?<p>/gs)].map(
    ([, href = ""]) => href,
  );

describe("a search", () => {
  test.each([
    ["invalid_grant", /\/docs\/(errors|tokens)#/],
    ["cursor_expired", /#(when-a-cursor-is-410|token-endpoint)$/],
    ["starting_after", /\/docs\/(reference|sync)/],
    ["partner-connect webhook test", /\/docs\/webhooks#try-it$/],
    ["POST /oauth/api/token/batch", /many-in-one-call|atch/],
    ["Retry-After", /\/docs\//],
    ["idempotency", /\/docs\//],
  ])("finds %s in its first three places, with an excerpt in which it is marked", async (query, href) => {
    const markup = await found(query);
    expect(linksOf(markup).slice(0, 3)).toEqual(expect.arrayContaining([expect.stringMatching(href)]));
    expect(markup).toMatch(/<p>[^<]*<mark>/);
  });

  test("begins with what has all words; a word that is misspelt or not finished finds those like it", async () => {
    expect(linksOf(await found("refrsh token"))).not.toEqual([]);
    expect(linksOf(await found("webho"))[0]).toMatch(/webhook/);
    expect(linksOf(await found("webhooks zzzzzz"))).not.toEqual([]);
  });

  test("says what to do where nothing is found or nothing was asked, and shows what was asked as text", async () => {
    expect(await found("zzzzqqq")).toContain("Nothing on these pages has <b>zzzzqqq</b>");
    expect(await found("  ")).toContain("Write a parameter, an error");
    expect(await found("<script>alert(1)</script>")).not.toContain("<script>alert");
    expect(await found('"><x>')).toContain('value="&quot;&gt;&lt;x&gt;"');
    for (const odd of ["\u0000", "(((", "a.*b", "_", "💥", "constructor __proto__", "a ".repeat(50)]) {
      expect((await docs.search(odd)).status).toBeUndefined();
    }
  });
});

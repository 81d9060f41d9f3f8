import { expect, test } from "vitest";
import { changelogPage, releases } from "./changelog.ts";
import { changelogFeed } from "./feed.ts";

const FILE = `# Changelog

## [Unreleased]

### Added

**For partners**

- Rain.

**For operators**

- Wind.

### Fixed

- Ice.

## [0.2.0] - 2026-12-24

### Changed

**For partners and merchants**

- Snow & \`hail\`.

## [0.1.0] - 2026-11-22

### Added

**For operators**

- Sun.
`;

test("what partners see of a release is told with its day, and nothing else", () => {
  expect(releases(FILE)).toEqual([
    { version: null, date: null, text: "### Added\n\n- Rain." },
    { version: "0.2.0", date: "2026-12-24", text: "### Changed\n\n- Snow & `hail`." },
  ]);
  expect(changelogPage().markdown()).toMatch(/^## (Not released yet|\d+\.\d+\.\d+, \d{4}-\d\d-\d\d)$/m);
  expect(changelogPage().html().toString()).toContain('type="application/atom+xml" href="/docs/changelog.atom"');
});

test("the feed has an entry for each release, with an id that stays, and none for what was not released", () => {
  const feed = changelogFeed(releases(FILE));
  expect(feed.match(/<entry>/g)).toHaveLength(1);
  expect(feed).toContain(
    "<updated>2026-12-24T00:00:00Z</updated>\n<entry>\n<id>{base_url}/docs/changelog.atom#0.2.0</id>",
  );
  expect(feed).toContain("&lt;li&gt;Snow &amp;amp; &lt;code&gt;hail&lt;/code&gt;.&lt;/li&gt;");
  const page = changelogPage().html().toString();
  for (const [, fragment] of changelogFeed().matchAll(/href="\{base_url\}\/docs\/changelog#([^"]+)"/g)) {
    expect(page).toContain(` id="${fragment}"`);
  }
});

import { html } from "@partner-connect/service-runtime/html";
import { renderMarkdown } from "../guide/markdown.ts";
import { FEED_PATH, type Release, releases } from "./changelog.ts";

/** RFC 4287. A release is an entry, whose id never changes; what was not released yet has no time, so it is none. */
export function changelogFeed(all: readonly Release[] = releases()): string {
  const released = all.filter(({ date }) => date !== null);
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="{base_url}/docs/changelog">
<id>{base_url}${FEED_PATH}</id>
<title>Partner Connect: what changed for partners</title>
<author><name>Partner Connect</name></author>
<link rel="self" type="application/atom+xml" href="{base_url}${FEED_PATH}"/>
<link rel="alternate" type="text/html" href="{base_url}/docs/changelog"/>
<updated>${released[0]?.date ?? "1970-01-01"}T00:00:00Z</updated>
${released.map(
  ({ version, date, text }) => html`<entry>
<id>{base_url}${FEED_PATH}#${version}</id>
<title>${version}</title>
<link rel="alternate" type="text/html" href="{base_url}/docs/changelog#${`${version}-${date}`.replaceAll(".", "-")}"/>
<updated>${date}T00:00:00Z</updated>
<content type="html">${renderMarkdown(text).body.toString()}</content>
</entry>
`,
)}</feed>
`.toString();
}

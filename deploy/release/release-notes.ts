/** A version's part of a changelog in the form of Keep a Changelog, without its heading. @throws where it has none */
export function releaseNotes(changelog: string, version: string): string {
  const releases = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((release) => [/^\[?([^\]\s]+)/.exec(release)?.[1] ?? "", release.replace(/^.*\n/, "").trim()]),
  );
  const notes = releases.get(version);
  if (notes) return notes;
  const why =
    notes === undefined ? `the changelog has ${[...releases.keys()].join(", ")}` : "nothing is said of it yet";
  throw new Error(`no notes for ${version}: ${why}`);
}

import { readFileSync } from "node:fs";

/** What partners' programs depend on, a line each: reviewed with each change of the API. */
export const PUBLISHED_FILE: URL = new URL("../../published.txt", import.meta.url);

export function readPublished(): string[] {
  return readFileSync(PUBLISHED_FILE, "utf8").trimEnd().split("\n");
}

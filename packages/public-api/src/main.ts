import { readFileSync, writeFileSync } from "node:fs";
import {
  breakingChanges,
  PUBLISHED_FILE,
  type PublishedDocument,
  publishedLines,
  readPublished,
} from "./published/published-lines.ts";
import { RECORD_TYPES_FILE, recordTypes } from "./record-types.ts";
import { DOCUMENT_FILE } from "./served-document.ts";

// What is made from openapi.json. `pnpm openapi` writes that first: services/resource-server/src/openapi/main.ts.
writeFileSync(RECORD_TYPES_FILE, recordTypes());

const present = publishedLines(JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as PublishedDocument);
const breaking = breakingChanges(readPublished(), present);
if (breaking.length === 0) writeFileSync(PUBLISHED_FILE, `${present.join("\n")}\n`);
else {
  console.error(
    `This breaks partners' programs:\n${breaking.join("\n")}\nIf it is meant, change these lines in packages/public-api/published.txt.`,
  );
  process.exitCode = 1;
}

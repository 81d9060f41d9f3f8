import { readFileSync } from "node:fs";
import { stringify } from "yaml";
import { airbyteManifest } from "./airbyte/manifest.ts";
import type { DescribedDocument } from "./document/described-document.ts";
import { postmanCollection } from "./postman/collection.ts";
import { DOCUMENT_FILE } from "./served-document.ts";
import { recordTypes } from "./typescript/records.ts";

export interface DerivedFile {
  readonly file: URL;
  readonly text: string;
}

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

export function derivedFiles(): DerivedFile[] {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as DescribedDocument;
  return [
    { file: at("postman.json"), text: `${JSON.stringify(postmanCollection(document), null, 2)}\n` },
    { file: at("airbyte.yaml"), text: airbyteText(airbyteManifest(document)) },
    { file: at("../partner-sdk/src/records.ts"), text: recordTypes(document) },
  ];
}

const AIRBYTE_NOTE =
  "# For Airbyte. Made by `pnpm openapi` from openapi.json: change the schemas there, not this file.\n";

/** Airbyte reads YAML 1.1, in which a text that looks like a time is none unless it is quoted. */
function airbyteText(manifest: object): string {
  return AIRBYTE_NOTE + stringify(manifest, { lineWidth: 120, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

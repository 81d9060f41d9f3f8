import { readFileSync } from "node:fs";
import type { DescribedDocument } from "./document/described-schema.ts";
import { DOCUMENT_FILE } from "./served-document.ts";
import { recordTypes } from "./typescript/records.ts";

/** A file that is made from the document. */
export interface DerivedFile {
  readonly file: URL;
  readonly text: string;
}

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);

/** Everything that `pnpm openapi` makes from openapi.json. */
export function derivedFiles(): DerivedFile[] {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as DescribedDocument;
  return [{ file: at("../partner-sdk/src/records.ts"), text: recordTypes(document) }];
}

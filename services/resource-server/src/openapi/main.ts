import { writeFileSync } from "node:fs";
import { DOCUMENT_FILE } from "@partner-connect/public-api";
import { documentText } from "./document.ts";

// `pnpm openapi` begins here. What is made from the document comes after: packages/public-api/src/main.ts.
writeFileSync(DOCUMENT_FILE, documentText());

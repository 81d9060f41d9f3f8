import { writeFileSync } from "node:fs";
import { RECORD_TYPES_FILE, recordTypes } from "./record-types.ts";

// Made from openapi.json, which `pnpm openapi` writes first: services/resource-server/src/openapi/main.ts.
writeFileSync(RECORD_TYPES_FILE, recordTypes());

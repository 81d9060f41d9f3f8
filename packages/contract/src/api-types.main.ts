import { writeFileSync } from "node:fs";
import { API_TYPES_FILE, generateApiTypes } from "./api-types.ts";

// The last step of `pnpm openapi`.
writeFileSync(API_TYPES_FILE, await generateApiTypes());

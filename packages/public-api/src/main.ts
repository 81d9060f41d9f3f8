import { writeFileSync } from "node:fs";
import { derivedFiles } from "./derived-files.ts";

// What is made from openapi.json. `pnpm openapi` writes that first: services/resource-server/src/openapi/main.ts.
for (const { file, text } of derivedFiles()) writeFileSync(file, text);

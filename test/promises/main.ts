import { writeFileSync } from "node:fs";
import { README, renderReadme } from "./readme.ts";

writeFileSync(README, renderReadme());

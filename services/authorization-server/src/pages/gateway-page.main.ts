import { writeFileSync } from "node:fs";
import { GATEWAY_PAGE_FILE, gatewayPageSnippet } from "./gateway-page.ts";

// `pnpm gateway-page` begins here.
writeFileSync(GATEWAY_PAGE_FILE, gatewayPageSnippet());

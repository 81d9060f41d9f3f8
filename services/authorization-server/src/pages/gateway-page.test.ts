import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GATEWAY_PAGE_FILE, gatewayPageSnippet } from "./gateway-page.ts";

test("the gateway's page is what `pnpm gateway-page` makes of the merchant pages' texts and style", () => {
  expect(readFileSync(GATEWAY_PAGE_FILE, "utf8"), "run `pnpm gateway-page`").toBe(gatewayPageSnippet());
});

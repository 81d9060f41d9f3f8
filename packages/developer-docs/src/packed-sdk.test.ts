import { expect, test } from "vitest";
import { packedSdkFile } from "./packed-sdk.ts";

test("where the SDK was not packed its address says so, until it is", () => {
  const packed = { bytes: Buffer.from("packed"), sha256: "", integrity: "" };
  let found: typeof packed | null = null;
  const file = packedSdkFile(() => found);
  expect(file()).toMatchObject({ status: 404, type: "text/plain; charset=utf-8", cacheControl: "no-store" });
  expect(file().body.bytes.toString()).toBe("This server runs from sources, and its SDK was not packed.\n");
  found = packed;
  expect(file()).toMatchObject({ type: "application/gzip", gzip: null, body: { bytes: packed.bytes } });
  expect(file().status).toBeUndefined();
});

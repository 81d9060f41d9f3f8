import { expect, test } from "vitest";
import { judge } from "./advisories.ts";

const printed = (code: number, stdout: string) => judge({ code, stdout, stderr: "" });

test("a registry that could not be asked has not said that nothing is known", () => {
  const couldNotAsk = { ok: false, found: "could not ask the registry" };
  expect(printed(1, "")).toMatchObject(couldNotAsk);
  expect(printed(0, "")).toMatchObject(couldNotAsk);
  expect(printed(1, '{"error":{"code":"ERR_PNPM_AUDIT_BAD_RESPONSE"}}')).toMatchObject(couldNotAsk);
});

test("what is known is named", () => {
  expect(printed(0, '{"advisories":{}}')).toMatchObject({ ok: true, found: "none known" });
  expect(printed(1, '{"advisories":{"1":{"module_name":"left-pad"}}}')).toMatchObject({ ok: false, found: "left-pad" });
});

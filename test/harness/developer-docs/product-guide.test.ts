import { readFile } from "node:fs/promises";
import { snippetsOf } from "@partner-connect/developer-docs/testing";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { PRODUCT_QUESTION_FIELDS, PRODUCT_RESPONSE_FIELDS } from "@partner-connect/survey-data";
import { expect, onTestFinished, test } from "vitest";
import { suiteInternalApi } from "../../../services/worker/src/internal-api/testing.ts";
import { ROOT } from "../../tiers.ts";
import { compare } from "./answer-shape.ts";
import { openShell } from "./shell.ts";

const { app, key } = await suiteInternalApi();
const url = await app.listen({ host: "127.0.0.1", port: 0 });
const text = await readFile(`${ROOT}deploy/operations/connect-your-product.md`, "utf8");
const snippets = snippetsOf(text);

test("each call in connect-your-product.md gets the response that the page shows", async () => {
  const run = openShell(temporaryFolder(onTestFinished), {
    INTERNAL_API_URL: url,
    PRODUCT_KEY: key,
  });
  let printed = "";
  let compared = 0;
  for (const { language, isAnswer, text, line } of snippets) {
    if (isAnswer) {
      expect([line, compare({ language, text }, printed)]).toEqual([line, []]);
      compared++;
    } else if (language === "bash") {
      const { exitCode, stdout, stderr } = await run(text);
      expect([line, exitCode, stderr]).toEqual([line, 0, ""]);
      printed = stdout;
    }
  }
  expect(compared).toBeGreaterThan(10);
});

test("the examples and the table of connect-your-product.md have every field that the product may send", () => {
  const shown = (what: string): Record<string, unknown> => {
    const { text = "" } = snippets.find(({ text }) => text.includes(`/${what}" -d '[`)) ?? {};
    return JSON.parse(/'(\[\{.+\}\])'/s.exec(text)?.[1] ?? "[{}]")[0];
  };
  const names = (fields: typeof PRODUCT_RESPONSE_FIELDS) =>
    fields.filter(({ refused }) => !refused).map(({ name }) => name);
  const fields = [...Object.keys(shown("responses")), "version"].sort();
  expect(fields).toEqual(names(PRODUCT_RESPONSE_FIELDS).sort());
  expect(Object.keys(shown("questions")).sort()).toEqual(names(PRODUCT_QUESTION_FIELDS).sort());
  const rows = text.split("| field of a response |")[1]?.split("\n\n")[0] ?? "";
  const described = [...rows.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/\w+/g)].map(String),
  );
  expect(described.sort()).toEqual(names(PRODUCT_RESPONSE_FIELDS).sort());
});

import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { inlineCodeOf, snippetsOf } from "@partner-connect/developer-docs/testing";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runOperator } from "../harness/actors/operator.ts";
import { ROOT } from "../tiers.ts";

const page = (name: string) => readFileSync(`${ROOT}deploy/operations/${name}.md`, "utf8");

/** Every piece of code of a page, in sentences and in blocks. */
function codeOf(name: string): string[] {
  const text = page(name);
  const inline = inlineCodeOf(text).map((code) => code.replaceAll("&quot;", '"'));
  return [...inline, ...snippetsOf(text).flatMap((snippet) => snippet.text.split("\n"))];
}

const typescript = globSync("{packages,services}/*/{src,building}/**/*.ts", { cwd: ROOT })
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));

describe.each(["alerts", "runbook", "settings", "postgres", "../../SECURITY"])("%s.md", (name) => {
  const codes = codeOf(name);

  test("programs log every message by which the page filters the log", () => {
    const messages = codes.flatMap((code) =>
      [...code.matchAll(/\.msg == "([^"]*)"/g)].map(([, message = ""]) => message),
    );
    const all = typescript.map(({ text }) => text).join();
    expect(messages.filter((message) => !all.includes(`"${message}"`))).toEqual([]);
    if (name === "alerts") expect(messages.length).toBeGreaterThan(5);
  });

  test("every partner-connect command on the page exists with its options", async () => {
    for (const code of codes) {
      for (const { words, rest } of commandsIn(code)) {
        const help = await helpOf(words);
        expect([code, help]).toEqual([
          code,
          expect.stringContaining(`partner-connect ${words[0]}`),
        ]);
        for (const option of rest.match(/(?<=\s)--[a-z-]+/g) ?? [])
          expect([code, help]).toEqual([code, expect.stringContaining(option)]);
      }
    }
  });

  test("every Compose service and file that the page names exists", () => {
    const { services } = parse(readFileSync(`${ROOT}docker-compose.yml`, "utf8"));
    const named = codes.flatMap((code) =>
      [
        ...code.matchAll(
          /docker compose (?:exec|run|ps|up|restart|logs)(?: -T| --[a-z-]+)* ([a-z][a-z0-9-]*)/g,
        ),
      ].map(([, container = ""]) => container),
    );
    expect(named.filter((container) => !(container in services))).toEqual([]);
    const files = codes.flatMap((code) =>
      [...code.matchAll(/(?<![\w/.])(?:deploy|packages|services|test)\/[\w./-]+/g)].map(String),
    );
    const missing = files.filter(
      (file) => !existsSync(ROOT + file) && !/^deploy\/(secrets|certificate)/.test(file),
    );
    expect(missing).toEqual([]);
  });
});

const GROUPS =
  "merchant|shop|client|partner|api-key|product-key|connection|webhook|job|question|response|keys|audit";
/** Commands such as `connection list --shop SHOP`, also with `partner-connect` before them. */
function commandsIn(code: string) {
  const group = `(?:${GROUPS}) [a-z][a-z-]*|migrate|doctor`;
  const alone = new RegExp(`^(${group})(?=\\s+(?:[-A-Z\\[']|\\d)|$)(.*)$`).exec(code);
  const after = [...code.matchAll(new RegExp(`partner-connect (${group})([^|;]*)`, "g"))];
  return [...(alone ? [alone] : []), ...after].map(([, words = "", rest = ""]) => ({
    words: words.split(" "),
    rest,
  }));
}

const helpOf = async (words: readonly string[]) =>
  (await runOperator({ dataDir: "/nowhere" }, [...words, "--help"])).stdout;

test("the shell functions of alerts.md are valid in bash", () => {
  const blocks = snippetsOf(page("alerts")).map(({ text }) => text);
  expect(blocks.length).toBe(3);
  for (const block of blocks) execFileSync("bash", ["-n"], { input: block });
});

test("alerts.md lists exactly the store names of the metrics", () => {
  const [line = ""] = /^- `NAME` is a store: .*/m.exec(page("alerts")) ?? [];
  const metered = typescript.flatMap(({ text }) => [...text.matchAll(/ meter\("([a-z-]+)/g)]);
  expect(new Set(inlineCodeOf(line).slice(1))).toEqual(new Set(metered.map(([, name]) => name)));
});

test("the steps for the alert RequestsFail list exactly the reasons of a 503", () => {
  const section = /^### RequestsFail\n\n([^#]+)/m.exec(page("alerts"))?.[1] ?? "";
  const step = section.split("\n").find((line) => line.startsWith("2. ")) ?? "";
  const named = [...step.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, word]) => word);
  const thrown = typescript
    .filter(({ path }) => /^services\/(authorization|resource)-server\/src/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/unavailable\("(\w+)"/g)].map(([, word]) => word));
  const faults = typescript.find(({ path }) => path.endsWith("logging/faults.ts"))?.text ?? "";
  const ofStores = [...faults.matchAll(/(?<=return .*)"(\w+)"/g)].map(([, word]) => word);
  expect(new Set(named)).toEqual(new Set([...thrown, ...ofStores]));
});

test("every page text that the runbook quotes is in the English catalogue", () => {
  const catalogue = typescript.find(({ path }) => path.endsWith("texts/en.ts"))?.text ?? "";
  const quoted = [...page("runbook").matchAll(/^- \*\*'(.+?)'(?:\*\*| \()/gm)];
  expect(quoted.length).toBeGreaterThan(2);
  for (const [, text = ""] of quoted) {
    for (const part of text.replaceAll("'", "’").split("NAME")) expect(catalogue).toContain(part);
  }
});

test("each answer of the merchants' help has a bullet in the runbook, and mails link only such answers", () => {
  const sourceOf = (end: string) => typescript.find(({ path }) => path.endsWith(end))?.text ?? "";
  const answers = /^ {4}answers: \{(.+?)^ {4}\}/ms.exec(sourceOf("texts/en.ts"))?.[1] ?? "";
  const ids = [...answers.matchAll(/^ {6}"?([a-z-]+)"?:/gm)].map(([, id]) => id);
  const bullets = page("runbook").matchAll(/^- \*\*.+?\*\* \(`#([a-z-]+)`\)/gm);
  // The runbook has nothing to add about what an app is.
  expect(["app", ...[...bullets].map(([, id]) => id)].sort()).toEqual([...ids].sort());
  const linked = /HELP_ANSWERS.+?= (\{.+?^\};)/ms.exec(sourceOf("compose-mail.ts"))?.[1] ?? "";
  for (const [, id] of linked.matchAll(/: "([a-z-]+)"/g)) expect(ids).toContain(id);
});

import { globSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { GUIDES, guideText, inlineCodeOf, snippetsOf } from "@partner-connect/developer-docs/testing";
import { run } from "@partner-connect/operator-cli";
import { expect, test } from "vitest";
import { ROOT } from "../../tiers.ts";

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
const DOCUMENT_TEXT = read("packages/public-api/openapi.json");
const DOCUMENT = JSON.parse(DOCUMENT_TEXT);

/** Every name and every single word that the document has: parameters, fields, headers, errors, scopes, values. */
const documented = new Set<string>();
(function collect(value: unknown): void {
  if (typeof value === "string" && !/\s/.test(value)) documented.add(value);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    documented.add(name);
    collect(inner);
  }
})(DOCUMENT);

/** What partners' programs and commands are called, in the programs themselves. */
const SOURCES = globSync(
  ["partner-sdk/src", "partner-sdk-python", "operator-cli/src", "webhooks/src", "local-stack/src"].map(
    (folder) => `packages/${folder}/**/*.{ts,py}`,
  ),
  { cwd: ROOT, exclude: (path) => /node_modules|\.test\.ts$/.test(path) },
)
  .map(read)
  .join("\n");
/** Programs of the guides are run, so what they name is there too. */
const PROGRAMS = GUIDES.flatMap((guide) =>
  snippetsOf(guideText(guide)).map(({ file, text }) => `${file} ${text}`),
).join("\n");
const REFUSALS = globSync("services/*/src/**/*error*.ts", { cwd: ROOT }).map(read).join("\n");
const sourceWords = new Set(`${SOURCES} ${PROGRAMS} ${REFUSALS}`.match(/[\w-]+/g));

/** Words of HTTP, of files, of the shell and of other people's programs. */
const OTHERS = new Set(
  `Accept-Encoding Authorization Bearer Idempotency-Key br gzip zstd allow sunset deprecation
  tgz openid profile email npm npx pnpm yarn Accept text markdown bun add install node python3 curl -O dev cryptography localhost NODE_USE_ENV_PROXY HTTPS_PROXY BASE de-AT en`.split(
    /\s+/,
  ),
);

function isKnown(word: string): boolean {
  return [word, word.toLowerCase()].some((one) => documented.has(one) || sourceWords.has(one) || OTHERS.has(one));
}

/** What is wrong with an endpoint: its path, its method, a parameter of its query. */
function endpointProblem(code: string): string | null {
  const [, method, path = "", query = ""] = /^(?:([A-Z]+) )?(?:\{base_url\})?(\/[^?]*)(?:\?(.*))?$/.exec(code) ?? [];
  if (path.endsWith("…")) return null;
  if (path.startsWith("/docs/")) return null; // links are checked with the pages
  const item = DOCUMENT.paths[path];
  if (!item) return path === "/api/openapi.json" ? null : "there is no such path";
  if (method && !item[method.toLowerCase()]) return "there is no such method";
  const taken = Object.values<{ parameters?: { name: string }[] }>(item).flatMap(({ parameters = [] }) => parameters);
  const unknown = [...new URLSearchParams(query).keys()].filter((name) => !taken.some((one) => one.name === name));
  return unknown.length > 0 ? `it takes no ${unknown}` : null;
}

/** What is wrong with a piece of code that stands within a sentence; null where nothing is. */
function problemOf(code: string): string | null {
  if (/^(?:[A-Z]+ )?(?:\{base_url\})?\/\w/.test(code)) return endpointProblem(code);
  const [, parameter] = /^([a-z_]+)=(?!")/.exec(code) ?? [];
  if (parameter && !documented.has(parameter)) return "there is no such parameter";
  const said = code.replace(/…|\*$/g, "").trim();
  if (/^[^\w{]*$/.test(said) || /^[-'"]?[\d.+'"' -]+$/.test(said)) return null; // signs and numbers
  if (/^\{\w+\}/.test(said)) return null; // filled in when the page is sent
  if (/^[\w ,':-]+ [\w ,':-]+$/.test(said) && (DOCUMENT_TEXT.includes(said) || SOURCES.includes(said))) return null;
  if (/[./]/.test(said) && globSync(`{packages/*,.}/{,src/}${said}`, { cwd: ROOT }).length > 0) return null;
  const words = said.replaceAll(/https?:\/\/\S+|%\w\w|\{base_url\}\S*/g, " ").match(/-{0,2}[A-Za-z][\w-]*/g) ?? [];
  const lost = words.filter(
    (word) => !isKnown(word) && ![...documented, ...sourceWords].some((one) => code !== said && one.startsWith(word)),
  );
  return lost.length > 0 ? `${lost} is nowhere` : null;
}

test("every name in a sentence of the guides is one of the API, the SDKs or the commands", () => {
  const problems = GUIDES.flatMap((guide) =>
    inlineCodeOf(guideText(guide)).flatMap((code) => {
      const problem = problemOf(code);
      return problem === null ? [] : [`${guide || "overview"}.md: \`${code}\`: ${problem}`];
    }),
  );
  expect(problems).toEqual([]);
  for (const wrong of [
    "invalid_grants",
    "GET /api/response",
    "GET /api/responses?sorted=1",
    "beginAuthorisation",
    "limits=5",
  ]) {
    expect([wrong, problemOf(wrong)]).toEqual([wrong, expect.any(String)]);
  }
});

/** `partner-connect webhook add --client CLIENT`, wherever it stands and whether it is run or not. */
const COMMAND = /partner-connect(?: -s)?((?: [a-z][a-z-]*)+)([^\n`]*)/g;

test("every command of partner-connect that the guides show exists, with its options", async () => {
  const texts = GUIDES.flatMap((guide) => [
    ...inlineCodeOf(guideText(guide)),
    ...snippetsOf(guideText(guide)).map(({ text }) => text),
  ]);
  const commands = texts.flatMap((text) =>
    [...text.matchAll(COMMAND)].map(([, words = "", rest = ""]) => ({ words: words.trim().split(" "), rest })),
  );
  expect(commands.length).toBeGreaterThan(1);
  for (const { words, rest } of commands) {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    await run([...words, "--help"], { stdin, stdout, stderr }, {});
    const help = String(stdout.read());
    expect([words.join(" "), help]).toEqual([
      words.join(" "),
      expect.stringContaining(`Usage: partner-connect ${words.slice(0, 2).join(" ")}`),
    ]);
    for (const option of rest.match(/--[a-z-]+/g) ?? []) expect(help).toContain(option);
  }
});

import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { inlineCodeOf, snippetsOf } from "@partner-connect/developer-docs/testing";
import { run } from "@partner-connect/operator-cli";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../tiers.ts";

const page = (name: string) => readFileSync(`${ROOT}deploy/operations/${name}.md`, "utf8");

/** Every piece of code of a page, in sentences and in blocks. */
function codeOf(name: string): string[] {
  const text = page(name);
  const inline = inlineCodeOf(text).map((code) => code.replaceAll("&quot;", '"'));
  return [...inline, ...snippetsOf(text).flatMap((snippet) => snippet.text.split("\n"))];
}

const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => path.includes("node_modules") })
    .filter((path) => !/\.test\.ts$|\/testing\/|\.md$/.test(path))
    .map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));

const typescript = filesOf("{packages,services}/*/{src,building}/**/*.ts");
const sources = [
  ...typescript,
  ...filesOf("packages/database/migrations/*.sql", "docker-compose.yml"),
  ...filesOf("deploy/{gateway,kubernetes,operations}/**/*.{sh,sql,yaml,json}"),
  ...filesOf("deploy/{roll,make-secrets,example.env,Dockerfile}", "deploy/gateway/Caddyfile"),
];
const all = sources.map(({ text }) => text).join("\n");
const hasWord = (word: string) => new RegExp(`(?<![\\w$])${word}(?![\\w$])`).test(all);

/** Words of Postgres, Redis, Caddy, Node and Linux that our sources don't have. */
const FOREIGN = new Set(
  `aof_last_bgrewrite_status aof_last_write_status backend_xmin evicted_keys fail_duration
  client_secret_post health_checker master_link_status NODE_EXTRA_CA_CERTS overcommit_memory pg_blocking_pids
  pg_drop_replication_slot pg_dump pg_ls_waldir pg_replication_slots pg_size_pretty
  pg_stat_replication pg_wal replay_lag`.split(/\s+/),
);

const PAGES = ["alerts", "runbook", "settings"] as const;

/** What a record with this message has, besides what every record has. */
function fieldsAt(message: string): string {
  const { text } = typescript.find(({ text }) => text.includes(`"${message}"`)) ?? { text: "" };
  const at = text.indexOf(`"${message}"`);
  return text.slice(Math.max(0, at - 250), at);
}

describe.each(PAGES)("%s.md", (name) => {
  const codes = codeOf(name);

  test("a message by which it filters the log is one that a program logs, with the fields that the filter shows", () => {
    const filters = codes.flatMap((code) => [
      ...code.matchAll(/select\(([^)]*\.msg == [^)]*)\)(?: \| ([^']*)')?/g),
    ]);
    for (const [filter, condition = "", shown = ""] of filters) {
      for (const [, message = ""] of condition.matchAll(/\.msg == "([^"]*)"/g)) {
        const isLogged = typescript.some(({ text }) => text.includes(`"${message}"`));
        expect([filter, isLogged]).toEqual([filter, true]);
        for (const [, field = ""] of shown.matchAll(/\.(\w+)/g)) {
          if (["reqId", "ip", "message", "stack"].includes(field)) continue;
          expect([filter, fieldsAt(message)]).toEqual([
            filter,
            expect.stringMatching(new RegExp(`\\b${field}\\b`)),
          ]);
        }
      }
    }
    if (name === "alerts") expect(filters.length).toBeGreaterThan(5);
  });

  test("a field by which it filters the log is a field of our log records", () => {
    const record = typescript.find(({ path }) => path.endsWith("http/request-record.ts"))?.text;
    const facts = [...(record ?? "").matchAll(/^\s+(?:readonly )?(\w+)\??: /gm)].map(
      ([, fact = ""]) => fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    const known = new Set(
      [...facts, "msg", "reqId", "err", "stack", "message"].concat("kind", "network"),
    );
    const used = codes
      .filter((code) => /\bjq\b/.test(code))
      .flatMap((code) => [...code.matchAll(/(?<=[( ]|^)\.([a-z_A-Z]+)/g)].map(String))
      .map((field) => field.slice(1).split(",")[0] ?? "");
    expect(used.filter((field) => !known.has(field))).toEqual([]);
  });

  test("a name with underscores is a reason, metric, field, setting or table of ours, or one of the other programs'", () => {
    const words = codes.flatMap((code) =>
      [...code.matchAll(/(?<![\w$/.-])[A-Za-z]+(?:_[A-Za-z0-9]+)+(?![\w$*…-])/g)].map(String),
    );
    const base = (word: string) => word.replace(/_(?:bucket|count|sum)$/, "");
    const unknown = words.filter(
      (word) => !FOREIGN.has(word) && !hasWord(word) && !hasWord(base(word)) && !(word in MADE),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("a message that it quotes is in the sources", () => {
    const quoted = codes.filter(
      (code) => /^[A-Za-z][a-z]*(?: [a-z'’,]+)+$/.test(code) && !isCommand(code) && !isShell(code),
    );
    expect(
      quoted.filter((text) => !all.includes(text) && !all.includes(text.replace("'", "’"))),
    ).toEqual([]);
  });

  test("a command of partner-connect has its words and options", async () => {
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

  test("a container that it names is a service of docker-compose.yml, and a file is in the repository", () => {
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
    const made = ["deploy/secrets", "deploy/certificate"];
    const missing = files.filter(
      (file) => !existsSync(ROOT + file) && !made.some((folder) => file.startsWith(folder)),
    );
    expect(missing).toEqual([]);
  });
});

/** Names that a page makes for itself: functions to paste, and variables of its commands. */
const MADE: Readonly<Record<string, true>> = { in_replica: true, SUPERUSER_URL: true };

const isShell = (code: string) =>
  /^(?:docker|kubectl|curl|redis|redis-cli|sql|psql|jq|logs|start|restart|systemctl|sysctl|df|caddy|activity|terminate|chronyc|appendonly)\b/.test(
    code,
  );

const GROUPS =
  "merchant shop client partner api-key product-key connection webhook job question response keys audit".split(
    " ",
  );
const isCommand = (code: string) => commandsIn(code).length > 0;

/** `connection list --shop SHOP` as the runbook has it, or with `partner-connect` before it. */
function commandsIn(code: string) {
  const group = `(?:${GROUPS.join("|")}) [a-z][a-z-]*|migrate|doctor`;
  const alone = new RegExp(`^(${group})(?=\\s+(?:[-A-Z\\[']|\\d)|$)(.*)$`).exec(code);
  const after = [...code.matchAll(new RegExp(`partner-connect (${group})([^|;]*)`, "g"))];
  return [...(alone ? [alone] : []), ...after].map(([, words = "", rest = ""]) => ({
    words: words.split(" "),
    rest,
  }));
}

async function helpOf(words: readonly string[]): Promise<string> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  await run([...words, "--help"], { stdin, stdout, stderr }, {});
  return `${stdout.read() ?? ""}${stderr.read() ?? ""}`;
}

test("the functions to paste are valid in bash", () => {
  const blocks = snippetsOf(page("alerts")).map(({ text }) => text);
  expect(blocks.length).toBe(3);
  for (const block of blocks) execFileSync("bash", ["-n"], { input: block });
});

test("the steps of RequestsFail name each reason of a 503, and no other", () => {
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

test("a text of a page that the runbook quotes is in the catalogue", () => {
  const catalogue = typescript.find(({ path }) => path.endsWith("texts/en.ts"))?.text ?? "";
  const quoted = [...page("runbook").matchAll(/^- \*\*'(.+?)'(?:\*\*| \()/gm)];
  expect(quoted.length).toBeGreaterThan(2);
  for (const [, text = ""] of quoted) {
    for (const part of text.replaceAll("'", "’").split("NAME")) expect(catalogue).toContain(part);
  }
});

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  guideText,
  type Snippet,
  snippetsOf,
  withBaseUrl,
} from "@partner-connect/developer-docs/testing";
import { freePort } from "@partner-connect/local-stack";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { onTestFinished } from "vitest";
import { DRIVERS } from "./library-drivers.ts";

export interface PageProgram extends Snippet {
  readonly file: string;
}

export const PROGRAMS: readonly PageProgram[] = snippetsOf(guideText("libraries")).flatMap(
  (snippet) => (snippet.file ? [{ ...snippet, file: snippet.file }] : []),
);

interface Language {
  /** Debian packages that all of its programs need. */
  readonly packages: string;
  /** The first of these commands that has the libraries runs the program. */
  readonly commands: readonly string[];
  /** Arguments by which a command without the libraries fails. */
  readonly probe: readonly string[];
  /** If the driver is a file beside the program: its name, and the words that run both. */
  readonly beside?: { readonly file: string; readonly words: readonly string[] };
}

const execute = promisify(execFile);
const NODE_MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
/** Debian's Go packages, without Go modules, which are fetched from the net. */
const GO = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode" };

const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: { packages: "nodejs", commands: [process.execPath], probe: ["--version"] },
  python: {
    packages: "python3-requests-oauthlib python3-authlib",
    commands: ["python3", "/usr/bin/python3"],
    probe: ["-c", "import requests_oauthlib, authlib"],
  },
  go: {
    packages: "gccgo golang-golang-x-oauth2-dev",
    commands: ["go", "go-12", "go-13", "go-14"],
    probe: ["build", "-o", "program"],
    beside: { file: "driver.go", words: ["./program"] },
  },
  ruby: { packages: "ruby-oauth2", commands: ["ruby"], probe: ["-e", 'require "oauth2"'] },
  php: { packages: "php-cli php-curl", commands: ["php"], probe: ["-r", "curl_init();"] },
  java: {
    packages: "default-jdk-headless",
    commands: ["javac"],
    probe: ["PartnerConnect.java", "Driver.java"],
    beside: { file: "Driver.java", words: ["java", "Driver"] },
  },
};

/**
 * Returns a function that starts the program for the running test, in a separate folder, or what to
 * install if the language or the library is missing. @throws the latter in CI
 */
export async function libraryProgram(program: PageProgram, baseUrl: string) {
  const language = LANGUAGES[program.language];
  if (!language) throw new Error(`nobody runs ${program.language} (libraries.md:${program.line})`);
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, program.file);
  const port = String(await freePort());
  const filled = (text: string) => withBaseUrl(text, baseUrl).replaceAll("3456", port);
  const driver = DRIVERS[program.language] ?? "";
  const { beside } = language;
  if (beside) await writeFile(join(folder, beside.file), filled(driver));
  await writeFile(path, filled(beside ? program.text : `${program.text}\n${driver}`));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await symlink(NODE_MODULES, join(folder, "node_modules"));
  for (const command of language.commands) {
    const probed = execute(command, language.probe, { cwd: folder, env: GO });
    if (await probed.catch(() => null)) {
      const words = beside?.words ?? [command, path];
      return (variables: Readonly<Record<string, string>>) => run(words, variables, folder);
    }
  }
  const toInstall = `apt-get install ${language.packages}`;
  if (process.env["CI"]) throw new Error(`In CI no test is left out: ${toInstall}`);
  return toInstall;
}

export type Run = ReturnType<typeof run>;

/** A running program, with the terminal of its developer. */
function run(
  [command = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  cwd: string,
) {
  const env = { ...process.env, NODE_NO_WARNINGS: "1", PYTHONUNBUFFERED: "1", ...variables };
  const child = spawn(command, args, { cwd, env, timeout: 90_000 });
  let isOver = false;
  // At "close" all output has been read; at "exit" some may not have been.
  const ended = once(child, "close").then(() => {
    isOver = true;
  });
  let printed = "";
  let read = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      child.emit("printed");
    });
  }
  onTestFinished(() => void child.kill());
  // An ended program no longer reads.
  child.stdin.on("error", () => {});
  return {
    type: (line: string) => void child.stdin.write(`${line}\n`),
    /**
     * @returns the next line that matches @throws if the program ends without it, or takes a minute
     * and a half
     */
    async line(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(printed.slice(read));
        if (found) {
          read += found.index + found[0].length;
          return found[0];
        }
        if (isOver) throw new Error(`no ${pattern} in:\n${printed}`);
        await Promise.race([once(child, "printed"), ended]);
      }
    },
    /** @returns the whole output, once it has ended */
    async end(): Promise<string> {
      await ended;
      return printed;
    },
  };
}

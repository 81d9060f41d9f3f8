import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that some tests run, and that a machine may lack. */
export interface Program {
  readonly name: string;
  /** Any one of these commands is enough. */
  readonly commands: readonly string[];
  /** Debian's package. */
  readonly package: string;
  /** Matches a test file that runs it: its path, its text, or that of a helper it imports. */
  readonly usedBy: RegExp;
  /** True if the tests install it for root on Debian or Ubuntu. */
  readonly isBrought?: true;
}

export const CHROMIUM = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Chromium without a window, as Debian and Chrome for Testing name it. */
export const HEADLESS_SHELL = ["chromium-headless-shell", "chrome-headless-shell"];

/** Matches calls of these functions, but not their definitions. */
const calls = (...names: string[]) => new RegExp(`(?<!function )\\b(${names.join("|")})\\(`);

/** Matches a file, by path or text, that uses stores: those of the run, or its own. */
export const WANTS_STORES =
  /^test\/(clients|e2e|faults|operations)\/|process\.env\["TEST_(DATABASE|REDIS)_URL"\]|(?<!function )\b(ownRedis|suiteDatabase|start(Postgres|Redis|LocalStack|Dev)\w*|mainStack|startOwnStack)\(/;

const PROGRAMS: readonly Program[] = [
  {
    name: "Redis",
    commands: ["redis-server", "valkey-server"],
    package: "redis-server",
    usedBy: WANTS_STORES,
    isBrought: true,
  },
  {
    name: "Chromium",
    commands: CHROMIUM,
    package: "chromium",
    usedBy: calls("launchChromium"),
    isBrought: true,
  },
  {
    name: "Caddy",
    commands: ["caddy"],
    package: "caddy",
    usedBy: /(?<!function )\bstartCaddy(Stack)?\(/,
  },
  {
    name: "Prometheus",
    commands: ["promtool"],
    package: "prometheus",
    usedBy: /Sync\("promtool"/,
  },
  {
    name: "Python",
    commands: ["python3"],
    package: "python3 python3-requests",
    usedBy: calls("pythonWorld", "programsFolder"),
  },
  { name: "curl", commands: ["curl"], package: "curl", usedBy: calls("readGuide") },
  {
    name: "OpenSSL",
    commands: ["openssl"],
    package: "openssl",
    usedBy: /(?<!function )\b(readGuide|selfSigned)\(|"openssl"/,
  },
];

/** The first of these programs on the PATH. */
export function onPath(names: readonly string[]): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return (
    names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram) ?? null
  );
}

export function canInstall(): boolean {
  return process.getuid?.() === 0 && onPath(["apt-get"]) !== null;
}

/** Programs that this machine lacks and that the tests don't install. */
export function missingPrograms(): Program[] {
  return PROGRAMS.filter(
    ({ commands, isBrought }) => !onPath(commands) && !(isBrought && canInstall()),
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

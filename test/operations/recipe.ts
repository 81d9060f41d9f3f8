import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** A block of code of a page in deploy/operations. */
export interface Step {
  readonly language: string;
  readonly text: string;
}

/** The blocks of code below a heading of a page in deploy/operations, in order. */
export async function recipe(page: string, heading: string): Promise<Step[]> {
  const file = new URL(`../../deploy/operations/${page}`, import.meta.url);
  const [, part] = (await readFile(file, "utf8")).split(`\n## ${heading}\n`);
  if (part === undefined) throw new Error(`${page} has no part '${heading}'`);
  const [own = ""] = part.split("\n## ");
  const blocks = own.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms);
  return [...blocks].map(([, indent, language = "", text = ""]) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
}

const CLI = fileURLToPath(new URL("../../packages/operator-cli/src/main.ts", import.meta.url));

/**
 * Runs a block for the shell as it stands, with this release's `partner-connect`. Its first command that fails ends it.
 * @param as who runs it; by default, who runs this process
 */
export async function runShell(
  { text }: Pick<Step, "text">,
  variables: Readonly<Record<string, string>>,
  as: { readonly uid?: number; readonly gid?: number } = {},
): Promise<string> {
  const script = `set -e\npartner-connect() { '${process.execPath}' '${CLI}' "$@"; }\n${text}`;
  const { PATH, HOME } = process.env;
  const options = { env: { PATH, HOME, ...variables }, cwd: variables["PWD"] ?? "/", ...as };
  return (await promisify(execFile)("bash", ["-c", script], options)).stdout;
}

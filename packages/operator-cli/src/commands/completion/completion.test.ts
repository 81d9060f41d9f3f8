import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { misused, operator } from "../../testing.ts";
import { SCRIPTS } from "./completion.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const cli = operator({});

describe("what can follow", () => {
  const values = async (...words: string[]) =>
    (await cli("complete", "--", ...words)).stdout.split("\n").map((line) => line.split("\t")[0]);

  test.each([
    [["con"], ["connection"]],
    [["client", "r"], ["rotate-secret"]],
    [["--json", "client", "r"], ["rotate-secret"]],
    [["client", "rotate-secret", "--ov"], ["--overlap"]],
    [["connection", "list", "--js"], ["--json"]],
    [["completion", ""], [...Object.keys(SCRIPTS)]],
    [
      ["keys", "generate", "--alg", "E"],
      ["EdDSA", "ES256"],
    ],
    [["keys", "generate", "--alg", "=", "ES"], ["ES256"]],
    [["response", "import", "--shop", "shop_1", ""], [":files"]],
    [["response", "delete", "--ids-from", "id"], [":files"]],
    [["response", "delete", "--shop", ""], []],
    [["nonsense", ""], []],
    [["complet"], ["completion"]],
  ])("%j", async (words, expected) => {
    expect(await values(...words)).toEqual([...expected, ""]);
  });

  test("each with its description", async () => {
    expect((await cli("complete", "--", "shop", "set")).stdout).toBe(
      "set-plan\tChange a shop's plan, from the next request on\n",
    );
  });
});

test("a shell that we don't know is refused", async () => {
  expect(await cli("completion", "tcsh")).toEqual(misused(/Allowed choices are bash, zsh, fish/));
});

/** Presses Tab in a real bash that has sourced the script, and returns what it offers. */
async function tabInBash(...words: readonly string[]): Promise<string[]> {
  const script = `
    partner-connect() { "$NODE" "$MAIN" "$@"; }
    source <(partner-connect completion bash)
    COMP_WORDS=(partner-connect "$@"); COMP_CWORD=$#
    _partner_connect
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, NODE: process.execPath, MAIN };
  const { stdout } = await promisify(execFile)("bash", ["-c", script, "bash", ...words], {
    env,
    cwd: import.meta.dirname,
  });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("in bash", () => {
  test.each([
    [["client", "cr"], ["create"]],
    [["response", "import", "candi"], ["candidates.ts"]],
    [["shop", "nothing-like-that"], []],
  ])("Tab after %j", async (words, offered) => {
    expect(await tabInBash(...words)).toEqual(offered);
  });
});

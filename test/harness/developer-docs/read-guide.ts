import {
  guideText,
  type Snippet,
  snippetsOf,
  withBaseUrl,
} from "@partner-connect/developer-docs/testing";
import { compare } from "./answer-shape.ts";
import { type Programs, QUIET_NPM, runProgram } from "./programs.ts";
import type { ReaderWorld } from "./reader-world.ts";
import { openShell } from "./shell.ts";

export { GUIDES } from "@partner-connect/developer-docs/testing";

export type Reading = Awaited<ReturnType<typeof readGuide>>;

/** Runs a guide as a developer would, block by block, and compares the output with the guide's. */
export async function readGuide(
  guide: string,
  world: ReaderWorld,
  programs: Programs,
  markdown = guideText(guide),
) {
  const text = withBaseUrl(markdown, world.stack.base_url);
  const snippets = snippetsOf(text);
  const variables = await world.variables(
    TESTED_ON_A_TEST_SHOP.includes(guide) ? world.testShop : world.shop,
  );
  const run = openShell(programs.folder, { ...QUIET_NPM, ...variables });
  /** The problems, each with its line in the guide's file. */
  const problems: string[] = [];
  let compared = 0;
  /** The programs' output, in order. */
  const outputs: string[] = [];
  /** The output of the blocks since the last answer. */
  let printed: string[] = [];

  const lines = text.split("\n");
  let read = 0;

  const problem = ({ line }: Snippet, what: string) => problems.push(`${guide}.md:${line} ${what}`);
  for (const snippet of snippets) {
    for (const button of buttonsIn(lines.slice(read, snippet.line - 1))) await world.press(button);
    read = snippet.line;
    if (snippet.isAnswer) {
      compared++;
      for (const one of printed)
        for (const difference of compare(snippet, one)) problem(snippet, difference);
    } else if (snippet.language === "bash") {
      const ran = await run(await fillIn(snippet.text, printed.at(-1) ?? "", world, variables));
      if (ran.exitCode !== 0 || ran.stderr) problem(snippet, `exit ${ran.exitCode}: ${ran.stderr}`);
      printed = [ran.stdout];
      outputs.push(ran.stdout);
    } else if (snippet.language === "ts" || snippet.language === "python") {
      const ran = await runProgram(snippet, snippets, programs, { world, variables });
      if (ran === null) continue;
      if (ran.exitCode !== 0 || ran.stderr) problem(snippet, `exit ${ran.exitCode}: ${ran.stderr}`);
      printed = [...(isVariantOf(snippets, snippet) ? printed : []), ran.stdout];
      outputs.push(ran.stdout);
    }
  }
  return { guide, problems, compared, outputs };
}

/** The guides that use a test shop; the second one names the buttons to press there. */
const TESTED_ON_A_TEST_SHOP = ["plans", "test-your-integration"];

/** The buttons that the text between two blocks asks to press. */
function buttonsIn(lines: readonly string[]): string[] {
  return [...lines.join("\n").matchAll(/\bPress \*([^*]+)\*/g)].map(([, button]) => button ?? "");
}

/** True if the block before is the same program in another language. */
function isVariantOf(snippets: readonly Snippet[], snippet: Snippet): boolean {
  const before = snippets[snippets.indexOf(snippet) - 1];
  return before !== undefined && !before.isAnswer && ["ts", "python"].includes(before.language);
}

/** Replaces each `…` in the commands by a value from the browser's URL or the response before. */
async function fillIn(
  commands: string,
  printed: string,
  world: ReaderWorld,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const lines = commands.split("\n").map(async (line) => {
    const name = /^([A-Z_]+)=\S*…$/.exec(line)?.[1];
    return name === undefined ? line : `${name}=${await valueFor(name, printed, world, variables)}`;
  });
  return (await Promise.all(lines)).join("\n");
}

async function valueFor(
  name: string,
  printed: string,
  world: ReaderWorld,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  if (name === "CODE") {
    const arrived = new URL(await world.browser.approve(printed.trim(), world.shop));
    return arrived.searchParams.get("code") ?? "";
  }
  const whole = printed.startsWith("{") ? JSON.parse(printed) : {};
  const answer = whole.data?.at(-1) ?? whole;
  return (
    answer[name.toLowerCase()] ??
    answer[name.toLowerCase().replace("last_", "")] ??
    variables[name] ??
    ""
  );
}

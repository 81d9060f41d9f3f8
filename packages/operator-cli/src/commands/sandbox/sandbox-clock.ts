import type { Command } from "commander";
import type { examples } from "../../options/examples.ts";
import { type Answer, answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { callSandbox, sandboxAt } from "./sandbox-call.ts";

interface Now {
  readonly now: string;
}

export function addClockCommands(sandbox: Command, context: Context, shown: ReturnType<typeof examples>): void {
  const call = async (path: string, body?: object): Promise<Answer> => {
    const { now } = await callSandbox<Now>(await sandboxAt(context.config.sandboxDataDir), path, body);
    return { json: { now }, text: now };
  };
  sandbox
    .command("now")
    .description("Tell the sandbox's time")
    .addHelpText("after", shown)
    .action(answer(context, () => call("/now")));
  sandbox
    .command("advance")
    .description("Move the sandbox's clock forward; when it returns, every part tells the new time")
    .argument("<duration>", "such as 90s, 15m, 2h, 31d, 1d12h or PT15M")
    // '-5m' is then refused as a time, and not as an option that nobody meant.
    .allowUnknownOption()
    .addHelpText("after", shown)
    .action(answer(context, (duration: string) => call("/advance", { duration })));
}

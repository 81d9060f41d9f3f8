import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import { type Answer, answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { fields } from "../../terminal/table.ts";
import { callSandbox, sandboxAt } from "./sandbox-call.ts";

export function addSandboxCommands(program: Command, context: Context): void {
  const description = "The clock and the triggers of a sandbox, which 'pnpm sandbox' starts";
  const sandbox = commandGroup(program, "sandbox", description, EXAMPLES);
  sandbox.addHelpText("afterAll", ({ command }) => (command === sandbox ? FOLDER : ""));
  addClockCommands(sandbox, context);
  addTriggerCommands(sandbox, context);
}

const EXAMPLES = `
  $ partner-connect sandbox now
  $ partner-connect sandbox advance 15m
  $ partner-connect sandbox advance 31d
  $ partner-connect sandbox triggers
  $ partner-connect sandbox trigger token-expiry
  $ partner-connect sandbox trigger revoke --connection con_0195…
  $ partner-connect sandbox trigger recategorize --shop shop_0195… --count 100
  $ partner-connect sandbox trigger unavailable --seconds 30`;

const FOLDER = `
The sandbox is the one of DATA_DIR (default: .data/sandbox). Its clock begins with the machine's, and only goes forward.`;

interface Now {
  readonly now: string;
}

function addClockCommands(sandbox: Command, context: Context): void {
  const call = async (path: string, body?: object): Promise<Answer> => {
    const { now } = await callSandbox<Now>(await sandboxAt(context.config.sandboxDataDir), path, body);
    return { json: { now }, text: now };
  };
  sandbox
    .command("now")
    .description("Tell the sandbox's time")
    .action(answer(context, () => call("/now")));
  sandbox
    .command("advance")
    .description("Move the sandbox's clock forward; when it returns, every part tells the new time")
    .argument("<duration>", "such as 90s, 15m, 2h, 31d, 1d12h or PT15M")
    // '-5m' is then refused as a time, and not as an option that nobody meant.
    .allowUnknownOption()
    .action(answer(context, (duration: string) => call("/advance", { duration })));
}

interface Trigger {
  readonly name: string;
  readonly does: string;
  readonly partner: string;
  readonly options: readonly string[];
}

type Options = Readonly<Record<string, string | undefined>>;

function addTriggerCommands(sandbox: Command, context: Context): void {
  sandbox
    .command("triggers")
    .description("List the triggers: what each one does, and what a partner's program sees then")
    .action(
      answer(context, async () => {
        const triggers = await callSandbox<Trigger[]>(await sandboxAt(context.config.sandboxDataDir), "/triggers");
        return { json: triggers, text: triggers.map(describe).join("\n\n") };
      }),
    );
  sandbox
    .command("trigger")
    .description("Bring about now what a partner meets in years; 'sandbox triggers' lists them")
    .argument("<name>", "such as token-expiry, revoke, plan-change, rate-limit or key-rotation")
    .option("--connection <connection>", "the connection's id; not needed where there is but one")
    .option("--shop <shop>", "the shop's id")
    .option("--client <client>", "the client's id")
    .option("--count <number>", "of 'recategorize' and 'delete': how many responses, the newest ones")
    .option("--response <text>", "of 'recategorize': the new response")
    .option("--plan <plan>", "of 'plan-change': the new plan")
    .option("--seconds <seconds>", "of 'unavailable': for how long")
    .action(answer(context, (name: string, options: Options) => pull(context, name, options)));
}

async function pull({ config }: Context, name: string, { json: _, wide: __, ...options }: Options): Promise<Answer> {
  const path = `/triggers/${encodeURIComponent(name)}`;
  const address = await sandboxAt(config.sandboxDataDir);
  const done = await callSandbox<Record<string, unknown>>(address, path, { operator: config.operator, ...options });
  return { json: done, text: fields(Object.entries(done).map(([field, value]) => [field, String(value)])) };
}

function describe({ name, does, partner, options }: Trigger): string {
  const words = [name, ...options.map((option) => `[--${option}]`)].join(" ");
  return `${words}\n  ${does}\n  partner: ${partner}`;
}

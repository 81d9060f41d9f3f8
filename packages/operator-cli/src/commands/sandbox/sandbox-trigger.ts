import type { Command } from "commander";
import type { examples } from "../../options/examples.ts";
import { type Answer, answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { fields } from "../../terminal/fields.ts";
import { callSandbox, sandboxAt } from "./sandbox-call.ts";

interface Trigger {
  readonly name: string;
  readonly does: string;
  readonly partner: string;
  readonly options: readonly string[];
}

type Options = Readonly<Record<string, string | undefined>>;

export function addTriggerCommands(sandbox: Command, context: Context, shown: ReturnType<typeof examples>): void {
  sandbox
    .command("triggers")
    .description("List the triggers: what each one does, and what a partner's program sees then")
    .addHelpText("after", shown)
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
    .addHelpText("after", shown)
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

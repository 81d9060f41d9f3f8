import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { answer, fields } from "../answer.ts";
import type { Context } from "../context.ts";
import { withDatabase } from "../database.ts";
import { examples } from "../examples.ts";
import { operatorActor } from "../operator-actor.ts";
import { commandGroup } from "./command-group.ts";

interface Create {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

export function addMerchantCommands(program: Command, context: Context): void {
  const merchant = commandGroup(program, "merchant", "The people who own shops and sign in to connect them", EXAMPLES);
  merchant
    .command("create")
    .description("Create a merchant, who can sign in at once")
    .requiredOption("--email <email>", "what the merchant signs in with; one account for each address")
    .requiredOption("--password <password>", "8 to 256 characters; '-' reads it from stdin, so that 'ps' can't show it")
    .requiredOption("--name <name>", "the merchant's name")
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ email, password, name }: Create) => {
        const { createMerchant } = await import("@partner-connect/directory");
        const chosen = password === "-" ? (await text(context.terminal.stdin)).replace(/\r?\n$/, "") : password;
        const wanted = { email, password: chosen, name, passwordFrom: "script" } as const;
        const created = await withDatabase(context, (sql) => createMerchant(sql, wanted, operatorActor(context)));
        return {
          json: { id: created.id, email: created.email, name: created.name },
          text: `Created merchant ${created.name}.\n\n${fields([
            ["id", created.id],
            ["email", created.email],
          ])}`,
        };
      }),
    );
}

const EXAMPLES = examples(`
  $ partner-connect merchant create --email anna@shop.example --name Anna --password -
  $ partner-connect merchant create --email anna@shop.example --name Anna --password 'correct horse' --json`);

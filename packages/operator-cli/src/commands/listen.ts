import type { Command } from "commander";
import { type Context, UsageError } from "../run/context.ts";
import { findStack } from "../run/stack.ts";
import { say, sayJson } from "../terminal/screen.ts";

interface ListenOptions {
  readonly client: string;
  readonly forward: string;
  readonly baseUrl?: string;
}

/** A partner's command: it works by HTTP, with the client's credentials. The SDK's package has it as well. */
export function addListenCommand(program: Command, context: Context): void {
  program
    .command("listen")
    .description("For partners: send webhooks to a program on this machine, when the client's feed has moved")
    .requiredOption("--client <client>", "the client's id; its secret is read from CLIENT_SECRET, or asked for")
    .requiredOption("--forward <url>", "an http address of this machine")
    .option("--base-url <url>", "where Partner Connect is (default: the local stack's)")
    .addHelpText(
      "after",
      "\nExamples:\n  $ CLIENT_SECRET=… partner-connect listen --client client_… --forward http://localhost:3000/webhooks",
    )
    .action(async function (this: Command, options: ListenOptions) {
      await run(context, options, this.optsWithGlobals<{ json?: boolean }>().json === true);
    });
}

async function run({ config, terminal }: Context, { client, forward, baseUrl }: ListenOptions, json: boolean) {
  const url = baseUrl ?? (await findStack(config)).publicBaseUrl;
  if (url === null) throw new UsageError("nothing says where Partner Connect is", "give --base-url");
  const { askSecret, listen } = await import("@partner-connect/partner-sdk/listen");
  const { stdin, stdout, stderr } = terminal;
  const clientSecret = config.clientSecret ?? (await askSecret("Client secret (it is not shown): ", stdin, stderr));
  if (clientSecret === "") throw new UsageError("the client's secret is missing", "set CLIENT_SECRET");
  await listen({
    baseUrl: url,
    clientId: client,
    clientSecret,
    forward,
    begun: ({ secret, publicKey }) => {
      if (json) sayJson(stdout, { client_id: client, forward, secret, public_key: publicKey });
      else say(stdout, `Verify with this run's secret: ${secret}\n(or its public key, for v1a:     ${publicKey})`);
    },
    say: (line) => say(stderr, line),
  });
}

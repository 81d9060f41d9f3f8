import { type Command, Option } from "commander";
import { type Consent, carryOut, destructive } from "../../options/confirm.ts";
import { parseDuration } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { rotationAnswer } from "./client-answer.ts";
import { countsOf } from "./connection-counts.ts";

interface Rotate extends Consent {
  readonly overlap?: string;
  readonly now?: boolean;
  readonly again?: boolean;
}

export function addRotateSecretCommand(client: Command, context: Context): void {
  const again = "replace the newest secret alone, as when it was lost before the partner had it";
  destructive(client.command("rotate-secret").description("Give a client a new secret, and show it once"))
    .argument("<client>", "the client's id")
    .option("--overlap <time>", "how long the former secret still works: 90s, 30m, 24h, up to 30d (default: 24h)")
    .addOption(new Option("--now", "end every former secret at once, as after a leak").conflicts("overlap"))
    .addOption(new Option("--again", again).conflicts(["overlap", "now"]))
    .addHelpText("after", AT_MOST_TWO)
    .action(
      answer(context, async (id: string, { overlap = "24h", now, again, ...consent }: Rotate) => {
        const seconds = now ? 0 : parseDuration(overlap, "--overlap");
        const { clientDetails, rotateClientSecret } = await import("@partner-connect/directory");
        return await withDatabase(context, async (sql, stack) => {
          const { client } = await clientDetails(sql, id);
          const effect = `Client ${client.name} (${id}) gets a new secret; ${again ? AGAIN : now ? NOW : until(overlap)}.`;
          // Only what breaks the partner's calls is asked about.
          const asked = now || consent.dryRun ? consent : { yes: true };
          return await carryOut(context, asked, [effect], async () => {
            const rotation = await rotateClientSecret(sql, id, again ? "as before" : seconds, operatorActor(context));
            // The new secret is shown whatever becomes of the count.
            const counted = now
              ? await countsOf(stack, id).then(
                  ({ connected }) => connected,
                  () => null,
                )
              : undefined;
            return rotationAnswer(rotation, counted);
          });
        });
      }),
    );
}

const NOW = "every former one ends now, and the partner's calls for tokens fail until the new one is installed";
const AGAIN = "the newest one ends now, and the one before it when it would have ended";
const until = (overlap: string) => `the former one works for ${overlap} more`;

const AT_MOST_TWO = `
At most two secrets of a client work at a time: while the former one's overlap runs, another rotation is refused. Then --again
replaces the newest secret, and --now ends both.`;

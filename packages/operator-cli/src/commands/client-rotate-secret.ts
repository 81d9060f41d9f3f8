import { type Command, Option } from "commander";
import { answer } from "../answer.ts";
import type { Context } from "../context.ts";
import { withDatabase } from "../database.ts";
import { parseDuration } from "../duration.ts";
import type { examples } from "../examples.ts";
import { operatorActor } from "../operator-actor.ts";
import { clientWithSecret } from "./client-answer.ts";

export function addRotateSecretCommand(client: Command, context: Context, shown: ReturnType<typeof examples>): void {
  client
    .command("rotate-secret")
    .description("Give a client a new secret, and show it once")
    .argument("<client>", "the client's id")
    .option("--overlap <time>", "how long the former secret still works: 90s, 30m, 24h, up to 30d (default: 24h)")
    .addOption(new Option("--now", "end the former secret at once, as after a leak").conflicts("overlap"))
    .addHelpText("after", AT_MOST_TWO)
    .addHelpText("after", shown)
    .action(
      answer(context, async (id: string, { overlap = "24h", now }: { overlap?: string; now?: boolean }) => {
        const seconds = now ? 0 : parseDuration(overlap, "--overlap");
        const { rotateClientSecret } = await import("@partner-connect/directory");
        const rotation = await withDatabase(context, (sql) =>
          rotateClientSecret(sql, id, seconds, operatorActor(context)),
        );
        const end = rotation.formerSecretExpiresAt;
        const former = end ? `works until ${end.toISOString()}` : "has ended";
        return clientWithSecret(
          `Client ${rotation.client.name} has a new secret; the former one ${former}.`,
          rotation.client,
          rotation.secret,
        );
      }),
    );
}

const AT_MOST_TWO = `
At most two secrets of a client work at a time: one that an earlier rotation left in its overlap ends now.`;

import assert from "node:assert/strict";
import type { Sql } from "@partner-connect/database";
import type { Command } from "commander";
import { type Consent, carryOut, destructive, examples } from "../../options/confirm.ts";
import { parseDuration } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, operatorActor, UsageError } from "../../run/context.ts";
import { countOf } from "../../terminal/progress.ts";

interface Prune extends Consent {
  readonly olderThan: string;
  readonly shop?: string;
  readonly force?: boolean;
}

const DAY = 86_400;

export function addPruneDeleted(response: Command, context: Context): void {
  destructive(response.command("prune-deleted").description("Forget which responses were deleted long ago"))
    .option("--older-than <time>", "deletions older than this, such as 500d", "400d")
    .option("--shop <shop>", "only this shop's")
    .option("--force", "also deletions younger than the 400 days that partners are promised")
    .addHelpText("after", WHAT_PARTNERS_SEE)
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async ({ olderThan, shop: shopId, force, ...consent }: Prune) => {
        const { DELETIONS_KEPT_DAYS, prunableDeletions, pruneDeletions } = await import("@partner-connect/survey-data");
        const seconds = parseDuration(olderThan, "--older-than");
        if (seconds < DELETIONS_KEPT_DAYS * DAY && !force) {
          throw new UsageError(
            `--older-than ${olderThan} is less than the ${DELETIONS_KEPT_DAYS}d that partners are promised; --force does it all the same`,
          );
        }
        const work = async (sql: Sql) => {
          const [clock] = await sql<{ before: Date }[]>`SELECT now() - make_interval(secs => ${seconds}) AS before`;
          assert(clock, "a SELECT without FROM returned no row");
          const { before } = clock;
          const found = await prunableDeletions(sql, { before, shopId });
          const json = { older_than_seconds: seconds, before: before.toISOString() };
          if (found.length === 0) {
            return { json: { ...json, pruned: [] }, text: `No deletion is older than ${olderThan}.` };
          }
          const effects = found.map(
            ({ shopId: shop, deletions }) =>
              `${countOf(deletions, "deletion")} of the shop ${shop} from before ${before.toISOString().slice(0, 10)} will be forgotten for good.`,
          );
          return await carryOut(context, consent, effects, async () => {
            const pruned = await pruneDeletions(sql, { before, shopId }, operatorActor(context));
            return {
              json: { ...json, pruned: pruned.map(({ shopId: shop_id, deletions }) => ({ shop_id, deletions })) },
              text: pruned
                .map(({ shopId: shop, deletions }) => `Forgot ${countOf(deletions, "deletion")} of ${shop}.`)
                .join("\n"),
            };
          });
        };
        return await withDatabase(context, work, { statementTimeout: 0 });
      }),
    );
}

const WHAT_PARTNERS_SEE = `
Partners who keep a copy learn from the list of deletions what to delete. Who has not read it for so long is told that the cursor
is unknown, and copies the shop anew. The newest one of each shop's stays, so that no partner is told so without a reason.`;

const EXAMPLES = examples(`
  $ partner-connect response prune-deleted --dry-run
  $ partner-connect response prune-deleted --older-than 500d --yes`);

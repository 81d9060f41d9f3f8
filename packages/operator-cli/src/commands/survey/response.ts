import { createInterface } from "node:readline";
import type { Command } from "commander";
import { type Consent, carryOut, commandGroup, destructive } from "../../options/confirm.ts";
import { openSource } from "../../options/open-source.ts";
import { collect } from "../../options/values.ts";
import { answer, withDatabase } from "../../run/command.ts";
import { type Context, OperatorError, operatorActor, UsageError } from "../../run/context.ts";
import { inSteps } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";
import { addImportCommand } from "./import-command.ts";

interface GivenIds {
  readonly shop: string;
  readonly id?: readonly string[];
  readonly idsFrom?: string;
}

interface Recategorize extends GivenIds {
  readonly response: string;
}

export function addResponseCommands(program: Command, context: Context): void {
  const response = commandGroup(program, "response", "The survey responses that partners read", EXAMPLES);
  addImportCommand(response, context, {
    noun: "response",
    format: FORMAT,
    load: async () => (await import("@partner-connect/survey-data")).importResponses,
  });
  response
    .command("recategorize")
    .description("Change the 'response' of responses; the first one stays in original_response")
    .requiredOption("--shop <shop>", "the shop's id")
    .option("--id <id>", "the response's id; may repeat", collect)
    .option("--ids-from <file>", IDS_FROM)
    .requiredOption("--response <text>", "the new 'response'")
    .addHelpText("after", IN_STEPS)
    .action(
      answer(context, async ({ shop, response, ...given }: Recategorize) => {
        const ids = await readIds(context, given);
        const { recategorizeResponses } = await import("@partner-connect/survey-data");
        const { changed, missing } = await inSteps(context, { noun: "response", total: ids.length }, (onProgress) =>
          withDatabase(context, (sql) =>
            recategorizeResponses(sql, { shopId: shop, ids, response, onProgress }, operatorActor(context)),
          ),
        );
        if (missing.length > 0) throw unknown(shop, missing, ` (${changed} recategorized)`);
        return { json: { shop_id: shop, response, changed }, text: `Recategorized ${changed} of ${ids.length}.` };
      }),
    );
  addDelete(response, context);
}

function addDelete(response: Command, context: Context): void {
  destructive(response.command("delete").description("Delete responses for good"))
    .requiredOption("--shop <shop>", "the shop's id")
    .option("--id <id>", "the response's id; may repeat", collect)
    .option("--ids-from <file>", IDS_FROM)
    .action(
      answer(context, async ({ shop, yes, dryRun, ...given }: GivenIds & Consent) => {
        const ids = await readIds(context, given);
        const { countResponses, deleteResponses } = await import("@partner-connect/survey-data");
        return await withDatabase(context, async (sql) => {
          const count = await countResponses(sql, { shopId: shop, ids });
          if (count === 0) throw unknown(shop, ids);
          const effect = `${countOf(count, "response")} of the shop ${shop} (of ${ids.length} named) will be deleted for good.`;
          return await carryOut(context, { yes, dryRun }, [effect], async () => {
            const deleted = await deleteResponses(sql, { shopId: shop, ids }, operatorActor(context));
            return { json: { shop_id: shop, deleted }, text: `Deleted ${deleted} of ${ids.length}.` };
          });
        });
      }),
    );
}

const IDS_FROM = "a file with one id on each line; '-' is stdin";

const NAMED = 10;

function unknown(shopId: string, ids: readonly string[], done = ""): OperatorError {
  const named = ids.slice(0, NAMED).map((id) => JSON.stringify(id));
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
  const message = `the shop ${shopId} has no response ${named.join(", ")}${more}${done}`;
  return new OperatorError(message, { code: "UNKNOWN_RESPONSE" });
}

const FORMAT = `'question' or 'question_id', and 'response' or 'other_response', are required; 'id', 'inserted_at' and 'updated_at'
are made where they are missing. A response whose id the shop has already is updated, so an import may be repeated.`;

const IN_STEPS = `
Many responses are recategorized in steps of a thousand, so that readers don't wait. An interrupted command may be repeated.`;

/** The ids that are named, each once, one by one or by the file. @throws {OperatorError} when there are none, or no such file */
async function readIds(context: Context, { id = [], idsFrom }: Omit<GivenIds, "shop">): Promise<string[]> {
  const ids = new Set(id);
  if (idsFrom !== undefined) {
    const { stream } = await openSource(context, idsFrom);
    for await (const line of createInterface({ input: stream })) if (line.trim() !== "") ids.add(line.trim());
  }
  if (ids.size === 0) throw new UsageError("no response is named: give --id, or --ids-from with a file of ids");
  return [...ids];
}

const EXAMPLES = `
  $ partner-connect response import --shop shop_0195… responses.ndjson
  $ zcat responses.ndjson.gz | partner-connect response import --shop shop_0195… -
  $ partner-connect response recategorize --shop shop_0195… --id 0195… --response Podcast
  $ partner-connect response recategorize --shop shop_0195… --ids-from ids.txt --response Podcast
  $ partner-connect response delete --shop shop_0195… --id 0195…`;

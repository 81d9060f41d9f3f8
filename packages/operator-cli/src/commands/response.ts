import { createInterface } from "node:readline";
import type { Command } from "@commander-js/extra-typings";
import { shopByIdOrName } from "@partner-connect/directory";
import {
  countResponses,
  deleteResponses,
  importResponses,
  recategorizeResponses,
} from "@partner-connect/survey-data";
import { type Cli, SHOP_OPTION, YES } from "../cli.ts";
import { OperatorError, UsageError } from "../errors.ts";
import { openInput } from "../open-input.ts";
import { countOf } from "../print.ts";
import { withProgress } from "../progress.ts";
import { collect } from "../values.ts";
import { addImport } from "./import.ts";

const ID = ["--id <id>", "the response's id; may repeat"] as const;
const IDS_FROM = ["--ids-from <file>", "a file with one id on each line; '-' is stdin"] as const;

export default function addResponseCommands(response: Command, cli: Cli): void {
  addImport(response, cli, { noun: "response", format: FORMAT, importRecords: importResponses });
  const recategorizeCommand = response
    .command("recategorize")
    .description("Change the 'response' of responses; the first value stays in original_response")
    .requiredOption(...SHOP_OPTION)
    .option(...ID, collect)
    .option(...IDS_FROM)
    .requiredOption("--response <text>", "the new 'response'")
    .addHelpText("after", IN_STEPS);
  cli.setAction(recategorizeCommand, async ({ shop, response, ...given }) => {
    const ids = await readIds(cli, given);
    const steps = { noun: "response", total: ids.length };
    const { shopId, changed, missing } = await withProgress(cli.terminal, steps, (onProgress) =>
      cli.withDatabase(async ({ sql, actor }) => {
        const { id: shopId } = await shopByIdOrName(sql, shop);
        const change = { shopId, ids, response, onProgress };
        return { shopId, ...(await recategorizeResponses(sql, change, actor)) };
      }),
    );
    if (missing.length > 0) throw unknownIdsError(shopId, missing, ` (${changed} recategorized)`);
    return {
      json: { shop_id: shopId, response, changed },
      text: `Recategorized ${changed} of ${ids.length}.`,
    };
  });
  const deleteCommand = response
    .command("delete")
    .description("Delete responses for good")
    .requiredOption(...SHOP_OPTION)
    .option(...ID, collect)
    .option(...IDS_FROM)
    .option(...YES);
  cli.setAction(deleteCommand, async ({ shop, yes, ...given }) => {
    const ids = await readIds(cli, given);
    return await cli.withDatabase(async ({ sql, actor }) => {
      const { id: shopId, name } = await shopByIdOrName(sql, shop);
      const count = await countResponses(sql, { shopId, ids });
      if (count === 0) throw unknownIdsError(shopId, ids);
      const effect = `${countOf(count, "response")} of ${name} (${shopId}), of ${ids.length} named, will be deleted for good.`;
      await cli.confirmErasure({ yes }, [effect], name);
      const { deleted } = await deleteResponses(sql, { shopId, ids }, actor);
      return { json: { shop_id: shopId, deleted }, text: `Deleted ${deleted} of ${ids.length}.` };
    });
  });
}

/** Maximum number of ids in an error message. */
const NAMED = 10;

function unknownIdsError(shopId: string, ids: readonly string[], done = ""): OperatorError {
  const named = ids.slice(0, NAMED).map((id) => JSON.stringify(id));
  const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
  const message = `the shop ${shopId} has no response ${named.join(", ")}${more}${done}`;
  return new OperatorError(message, { code: "UNKNOWN_RESPONSE" });
}

interface GivenIds {
  readonly id?: readonly string[] | undefined;
  readonly idsFrom?: string | undefined;
}

/**
 * Reads the distinct ids of the options and the file. @throws {UsageError} if there are none;
 * {OperatorError} if the file can't be opened
 */
async function readIds(cli: Cli, { id = [], idsFrom }: GivenIds): Promise<string[]> {
  const ids = new Set(id);
  if (idsFrom !== undefined) {
    const { stream } = await openInput(cli, idsFrom);
    for await (const line of createInterface({ input: stream }))
      if (line.trim() !== "") ids.add(line.trim());
  }
  if (ids.size === 0)
    throw new UsageError("no response is given: use --id, or --ids-from with a file of ids");
  return [...ids];
}

const FORMAT = `'question' or 'question_id', and 'response' or 'other_response', are required; 'id', 'inserted_at' and 'updated_at'
are generated where they are missing. A response whose id the shop already has is updated, so an import can be repeated.
A given 'updated_at' is kept, so partners who have read past that time miss the record: leave it out, or ask them to read the shop again.`;

const IN_STEPS = `
Responses are recategorized in steps of a thousand, so that readers don't wait. Repeat an interrupted command to continue.`;

export const EXAMPLES = `
  $ zcat responses.ndjson.gz | partner-connect response import --shop Hats -
  $ partner-connect response recategorize --shop Hats --ids-from ids.txt --response Podcast`;

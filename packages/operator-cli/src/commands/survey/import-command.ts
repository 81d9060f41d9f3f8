import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import type { ImportOptions, ImportProgress, ImportResult } from "@partner-connect/survey-data";
import type { Command } from "commander";
import { openSource } from "../../options/open-source.ts";
import { type Answer, answer, withDatabase } from "../../run/command.ts";
import { type Context, operatorActor } from "../../run/context.ts";
import { inSteps } from "../../run/long-work.ts";
import { countOf } from "../../terminal/progress.ts";

interface ImportCommand {
  /** What one record is called: 'response'. */
  readonly noun: string;
  readonly format: string;
  readonly load: () => Promise<(sql: Sql, options: ImportOptions, actor: Actor) => Promise<ImportResult>>;
}

export function addImportCommand(group: Command, context: Context, command: ImportCommand): void {
  const { noun, format } = command;
  group
    .command("import")
    .description(`Import a file of ${noun}s, one JSON object on each line. A bad line refuses the whole file`)
    .requiredOption("--shop <shop>", "the shop's id")
    .argument("<file>", "NDJSON with the API's field names; '-' is stdin")
    .addHelpText("after", `\n${format}\n${IN_STEPS}`)
    .action(answer(context, (file: string, { shop }: { shop: string }) => importFile(context, command, file, shop)));
}

const IN_STEPS = `All lines are validated before the first is stored. They are stored in steps that commit: after a fault, run the same import again.
A file of more than 64 MB waits in a temporary file (TMPDIR).`;

/** Imports an NDJSON file and shows the progress. If any line is bad, nothing of the file is kept. */
async function importFile(
  context: Context,
  { noun, load }: ImportCommand,
  file: string,
  shopId: string,
): Promise<Answer> {
  const importRecords = await load();
  const source = await openSource(context, file);
  try {
    const result = await inSteps(context, { noun, total: null }, (report) =>
      withDatabase(context, (sql) => {
        const onProgress = ({ phase, records, of }: ImportProgress): void =>
          report(records, { phase, share: of === undefined ? source.share() : records / of });
        return importRecords(sql, { shopId, lines: source.stream, onProgress }, operatorActor(context));
      }),
    );
    return { json: result, text: sentence(result, noun), note: backfillNote(result, noun) };
  } finally {
    // After a failed import the source is still open, which would keep the process from ending.
    source.stream.destroy();
  }
}

function sentence(result: ImportResult, noun: string): string {
  const count = (number: number) => number.toLocaleString("en-US");
  const parts = [
    `${count(result.inserted)} new`,
    `${count(result.updated)} updated`,
    `${count(result.unchanged)} stored already`,
    ...(result.older > 0 ? [`${count(result.older)} older than what is stored`] : []),
    ...(result.superseded > 0 ? [`${count(result.superseded)} replaced by a later line`] : []),
  ];
  return `Imported ${countOf(result.records, noun)}: ${parts.join(", ")}.`;
}

function backfillNote({ backfilled }: ImportResult, noun: string): string | undefined {
  if (backfilled === 0) return undefined;
  return `note: ${countOf(backfilled, noun)} kept the updated_at that the source gives; readers who follow updated_at and are past that time won't see what changed`;
}

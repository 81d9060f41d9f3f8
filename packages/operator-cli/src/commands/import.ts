import type { Command } from "@commander-js/extra-typings";
import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { shopByIdOrName } from "@partner-connect/directory";
import type { ImportOptions, ImportResult } from "@partner-connect/survey-data";
import { type Cli, SHOP_OPTION } from "../cli.ts";
import { openSource } from "../open-source.ts";
import { countOf } from "../print.ts";
import { inSteps } from "../progress.ts";

interface ImportCommand {
  /** The noun for one record: 'response'. */
  readonly noun: string;
  readonly format: string;
  readonly importRecords: (sql: Sql, options: ImportOptions, actor: Actor) => Promise<ImportResult>;
}

/** Adds `import`, which shows its progress. If any line is bad, nothing of the file is kept. */
export function addImport(
  group: Command,
  cli: Cli,
  { noun, format, importRecords }: ImportCommand,
): void {
  const importCommand = group
    .command("import")
    .description(`Import a file of ${noun}s, one JSON object per line; a bad line refuses it all`)
    .requiredOption(...SHOP_OPTION)
    .argument("<file>", "NDJSON with the API's field names; '-' is stdin")
    .addHelpText("after", `\n${format}\n${IN_STEPS}`);
  cli.answer(importCommand, async (file, { shop }) => {
    const source = await openSource(cli, file);
    try {
      const result = await inSteps(cli.terminal, { noun, total: null }, (report) =>
        cli.withDatabase(async ({ sql, actor }) => {
          const onProgress: ImportOptions["onProgress"] = ({ phase, records, total }) =>
            report(records, phase, total === undefined ? source.share() : records / total);
          const { id: shopId } = await shopByIdOrName(sql, shop);
          return await importRecords(sql, { shopId, lines: source.stream, onProgress }, actor);
        }),
      );
      return { json: result, text: sentence(result, noun), note: backfillNote(result, noun) };
    } finally {
      // After a failed import the open source would keep the process from ending.
      source.stream.destroy();
    }
  });
}

const IN_STEPS = `All lines are validated before the first is stored. They are stored in steps that commit: after a fault, run the same import again.
A file of more than 64 MB waits in a temporary file (TMPDIR).`;

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

import type { Command } from "@commander-js/extra-typings";
import type { Actor } from "@partner-connect/audit";
import type { Sql } from "@partner-connect/database";
import { shopByIdOrName } from "@partner-connect/directory";
import type { ImportOptions, ImportResult } from "@partner-connect/survey-data";
import { type Cli, SHOP_OPTION } from "../cli.ts";
import { openInput } from "../open-input.ts";
import { countOf } from "../print.ts";
import { withProgress } from "../progress.ts";

interface ImportCommand {
  /** The noun for one record: 'response'. */
  readonly noun: string;
  /** The help on a record's fields. */
  readonly format: string;
  readonly importRecords: (sql: Sql, options: ImportOptions, actor: Actor) => Promise<ImportResult>;
}

/** Adds `import`, which prints its progress. If a line is bad, nothing of the file is stored. */
export function addImport(
  group: Command,
  cli: Cli,
  { noun, format, importRecords }: ImportCommand,
): void {
  const importCommand = group
    .command("import")
    .description(`Import a file of ${noun}s, one JSON object per line; one bad line refuses all`)
    .requiredOption(...SHOP_OPTION)
    .argument("<file>", "NDJSON with the API's field names; '-' is stdin")
    .addHelpText("after", `\n${format}\n${IN_STEPS}`);
  cli.setAction(importCommand, async (file, { shop }) => {
    const source = await openInput(cli, file);
    try {
      const result = await withProgress(cli.terminal, { noun, total: null }, (report) =>
        cli.withDatabase(async ({ sql, actor }) => {
          const onProgress: ImportOptions["onProgress"] = ({ phase, records, total }) =>
            report(records, phase, total === undefined ? source.share() : records / total);
          const { id: shopId } = await shopByIdOrName(sql, shop);
          return await importRecords(sql, { shopId, lines: source.stream, onProgress }, actor);
        }),
      );
      return { json: result, text: resultSentence(result, noun), note: backfillNote(result, noun) };
    } finally {
      // An open source would keep the process running after a failed import.
      source.stream.destroy();
    }
  });
}

const IN_STEPS = `All lines are validated before the first is stored. Then each step commits, so after a fault run the same import again to continue.
More than 64 MB are buffered in a temporary file (TMPDIR).`;

function resultSentence(result: ImportResult, noun: string): string {
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
  return `note: ${countOf(backfilled, noun)} kept the file's updated_at; partners who have read past that time won't see these changes`;
}

import type { Command } from "commander";
import type { examples } from "../../options/examples.ts";
import { answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { type FileImport, importFile } from "./import-file.ts";

export interface ImportCommand {
  /** What one record is called: 'response'. */
  readonly noun: string;
  /** What the file holds, for the help. */
  readonly format: string;
  readonly shown: ReturnType<typeof examples>;
  readonly load: () => Promise<FileImport["importRecords"]>;
}

/** `response import` and `question import`. */
export function addImportCommand(group: Command, context: Context, { noun, format, shown, load }: ImportCommand): void {
  group
    .command("import")
    .description(`Import a file of ${noun}s, one JSON object on each line. A bad line refuses the whole file`)
    .requiredOption("--shop <shop>", "the shop's id")
    .argument("<file>", "NDJSON with the API's field names; '-' is stdin")
    .addHelpText("after", `\n${format}`)
    .addHelpText("after", shown)
    .action(
      answer(context, async (file: string, { shop }: { shop: string }) =>
        importFile(context, { file, shopId: shop, noun, importRecords: await load() }),
      ),
    );
}

import type { Command } from "commander";
import { answer } from "../answer.ts";
import type { Context } from "../context.ts";
import { importFile } from "../import-file.ts";

export function addQuestionCommands(program: Command, context: Context): void {
  const question = program
    .command("question")
    .description("The questions that shops ask")
    .addHelpText("after", EXAMPLES);
  question
    .command("import")
    .description("Import a file of questions, one JSON object on each line. A bad line refuses the whole file")
    .requiredOption("--shop <shop>", "the shop's id")
    .argument("<file>", "NDJSON with the API's field names; '-' is stdin")
    .addHelpText("after", EXAMPLES)
    .action(
      answer(context, async (file: string, { shop }: { shop: string }) => {
        const { importQuestions } = await import("@partner-connect/survey-data");
        return await importFile(context, { file, shopId: shop, noun: "question", importRecords: importQuestions });
      }),
    );
}

const EXAMPLES = `
'id' (a whole number) and 'prompt' are required. A question whose id the shop has already is updated.

Examples:
  $ partner-connect question import --shop shop_0195… questions.ndjson
  $ echo '{"id":1,"prompt":"How did you hear about us?"}' | partner-connect question import --shop shop_0195… -`;

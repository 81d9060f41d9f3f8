import type { Command } from "@commander-js/extra-typings";
import { importQuestions } from "@partner-connect/survey-data";
import type { Cli } from "../cli.ts";
import { addImport } from "./import.ts";

export default function addQuestionCommands(question: Command, cli: Cli): void {
  addImport(question, cli, {
    noun: "question",
    format:
      "'id' (a whole number) and 'prompt' are required. A question whose id the shop already has is updated.",
    importRecords: importQuestions,
  });
}

export const EXAMPLES = `
  $ partner-connect question import --shop shop_0195… questions.ndjson
  $ echo '{"id":1,"prompt":"How did you hear about us?"}' | partner-connect question import --shop shop_0195… -`;

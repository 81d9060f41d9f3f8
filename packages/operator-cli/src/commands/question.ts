import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examples } from "../examples.ts";
import { commandGroup } from "./command-group.ts";
import { addImportCommand } from "./import-command.ts";

export function addQuestionCommands(program: Command, context: Context): void {
  const question = commandGroup(program, "question", "The questions that shops ask", EXAMPLES);
  addImportCommand(question, context, {
    noun: "question",
    format: "'id' (a whole number) and 'prompt' are required. A question whose id the shop has already is updated.",
    shown: EXAMPLES,
    load: async () => (await import("@partner-connect/survey-data")).importQuestions,
  });
}

const EXAMPLES = examples(`
  $ partner-connect question import --shop shop_0195… questions.ndjson
  $ echo '{"id":1,"prompt":"How did you hear about us?"}' | partner-connect question import --shop shop_0195… -`);

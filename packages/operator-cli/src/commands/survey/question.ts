import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { onDatabase } from "../../run/command.ts";
import { type Context, UsageError } from "../../run/context.ts";
import { cutColumn, extraColumn, table } from "../../terminal/table.ts";
import { addImportCommand } from "./import-command.ts";

export function addQuestionCommands(program: Command, context: Context): void {
  const question = commandGroup(program, "question", "The questions that shops ask", EXAMPLES);
  addImportCommand(question, context, {
    noun: "question",
    format: "'id' (a whole number) and 'prompt' are required. A question whose id the shop has already is updated.",
    load: async () => (await import("@partner-connect/survey-data")).importQuestions,
  });
  listing(question.command("list").description("List a shop's questions"), "<question>", "the question")
    .requiredOption("--shop <shop>", "the shop's id")
    .action(
      onDatabase(context, async ({ sql }, asked: PageOptions & { readonly shop: string }) => {
        const { listQuestions } = await import("@partner-connect/survey-data");
        if (!/^\d{1,15}$/.test(asked.after ?? "0"))
          throw new UsageError("--after is not a question's id, a whole number");
        const { shown: questions, note } = await pageOf(
          asked,
          ({ shop, ...page }) => listQuestions(sql, shop, page),
          ({ id }) => String(id),
        );
        return {
          json: questions,
          text: table(
            ["ID", cutColumn("PROMPT"), "ANSWERS", extraColumn("TYPE"), extraColumn("PUBLISHED")],
            questions.map(({ id, prompt, type, responses, published_at }) => [
              String(id),
              prompt,
              String(responses?.length ?? 0),
              type,
              published_at === null ? "no" : new Date(published_at),
            ]),
            "The shop has no such questions.",
          ),
          note,
        };
      }),
    );
}

const EXAMPLES = `
  $ partner-connect question list --shop shop_0195…
  $ partner-connect question import --shop shop_0195… questions.ndjson
  $ echo '{"id":1,"prompt":"How did you hear about us?"}' | partner-connect question import --shop shop_0195… -`;

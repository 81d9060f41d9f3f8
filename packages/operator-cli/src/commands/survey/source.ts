import type { ListedSource } from "@partner-connect/survey-data";
import type { Command } from "commander";
import { commandGroup } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { onDatabase } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { cutColumn, extraColumn, table } from "../../terminal/table.ts";

export function addSourceCommands(program: Command, context: Context): void {
  const source = commandGroup(program, "source", "The attribution sources that partners have made", EXAMPLES);
  listing(source.command("list").description("List a shop's sources"), "<source>", "the name or external id")
    .requiredOption("--shop <shop>", "the shop's id")
    .action(
      onDatabase(context, async ({ sql }, asked: PageOptions & { readonly shop: string }) => {
        const { listSources } = await import("@partner-connect/survey-data");
        const { shown: sources, note } = await pageOf(
          asked,
          ({ shop, ...page }) => listSources(sql, shop, page),
          ({ id }) => id,
        );
        return {
          json: sources.map(sourceJson),
          text: table(
            ["ID", cutColumn("NAME"), "TYPE", ...EXTRAS],
            sources.map(({ id, name, type, updatedAt, externalId, aliases, url }) => [
              id,
              name,
              type,
              updatedAt,
              externalId,
              aliases.join(", "),
              url,
            ]),
            "The shop has no such sources.",
          ),
          note,
        };
      }),
    );
}

const EXTRAS = ["UPDATED", "EXTERNAL ID", "ALIASES", "URL"].map(extraColumn);

function sourceJson({ externalId, insertedAt, updatedAt, ...source }: ListedSource) {
  return {
    ...source,
    external_id: externalId,
    inserted_at: insertedAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

const EXAMPLES = `
  $ partner-connect source list --shop shop_0195…`;

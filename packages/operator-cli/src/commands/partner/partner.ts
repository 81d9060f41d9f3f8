import type { ClientMember } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, commandGroup, destructive } from "../../options/confirm.ts";
import { listing, type PageOptions, pageOf } from "../../options/list-page.ts";
import { onDatabase } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import { paragraphs } from "../../terminal/screen.ts";
import { cutColumn, table } from "../../terminal/table.ts";
import { type NewAccountOptions, newAccountLink, newAccountOf, takesNewAccount } from "../merchant/new-account.ts";

interface Person {
  readonly client: string;
  readonly email: string;
}

/** Who may open the pages of a client, at /partner. */
export function addPartnerCommands(program: Command, context: Context): void {
  const partner = commandGroup(program, "partner", "People of partners, who see the pages of their client", EXAMPLES);
  takesNewAccount(partner.command("add"))
    .description("Let somebody open the pages of a client, and tell all its people by mail")
    .requiredOption("--client <client>", "the client's id or name")
    .requiredOption("--email <email>", "the person's email")
    .action(
      onDatabase(context, async (stack, { client, email, ...options }: Person & NewAccountOptions) => {
        const { sql, actor, publicBaseUrl } = stack;
        const { addClientMember, clientByIdOrName } = await import("@partner-connect/directory");
        const create = newAccountOf(stack, options);
        const { id, name } = await clientByIdOrName(sql, client);
        const { token, ...member } = await addClientMember(sql, { clientId: id, email, create }, actor);
        const link = token === undefined ? undefined : await newAccountLink(stack, member, token);
        const said = `${member.name} (${member.email}) sees the pages of ${name}, at ${publicBaseUrl ?? ""}/partner.`;
        return {
          json: { ...memberJson(id, member), ...link?.json },
          text: paragraphs(said, ...(link ? [link.text] : [])),
          note: link?.note,
        };
      }),
    );
  listing(partner.command("list").description("List the people of a client"), "<merchant>", "email or name")
    .requiredOption("--client <client>", "the client's id or name")
    .action(
      onDatabase(context, async ({ sql }, asked: PageOptions & { readonly client: string }) => {
        const { clientByIdOrName, membersOfClient } = await import("@partner-connect/directory");
        const { id } = await clientByIdOrName(sql, asked.client);
        const { shown: members, note } = await pageOf(
          asked,
          (page) => membersOfClient(sql, id, page),
          ({ merchantId }) => merchantId,
        );
        return {
          json: members.map((member) => memberJson(id, member)),
          text: table(
            [cutColumn("EMAIL"), cutColumn("NAME"), "SINCE"],
            members.map(({ email, name, since }) => [email, name, since]),
            "Nobody sees the pages of this client: 'partner-connect partner add' lets somebody.",
          ),
          note,
        };
      }),
    );
  destructive(partner.command("remove"))
    .description("Take the pages of a client from somebody, the last one too")
    .requiredOption("--client <client>", "the client's id or name")
    .requiredOption("--email <email>", "the person's email")
    .action(
      onDatabase(context, async ({ sql, actor }, given: Consent & Person) => {
        const { canonicalEmail, clientByIdOrName, membersOfClient, removeClientMember } = await import(
          "@partner-connect/directory"
        );
        const { id, name } = await clientByIdOrName(sql, given.client);
        const member = (await membersOfClient(sql, id)).find(({ email }) => email === canonicalEmail(given.email));
        if (!member) {
          throw new OperatorError(`${JSON.stringify(given.email)} does not belong to the client ${id}`, {
            code: "UNKNOWN_MEMBER",
            hint: "'partner-connect partner list' has its people",
          });
        }
        const who = `${member.name} (${member.email})`;
        const effects = [
          `${who} can't open the pages of ${name} any more.`,
          "Secrets that this person has seen still work: 'partner-connect client rotate-secret' replaces them.",
        ];
        return await carryOut(context, given, effects, async () => {
          await removeClientMember(sql, { clientId: id, merchantId: member.merchantId }, actor);
          return { json: memberJson(id, member), text: `${who} no longer sees the pages of ${name}.` };
        });
      }),
    );
}

function memberJson(clientId: string, { merchantId, email, name, since }: ClientMember) {
  return { client_id: clientId, merchant_id: merchantId, email, name, since: since.toISOString() };
}

const EXAMPLES = `
  $ partner-connect partner add --client lookout --email dev@lookout.example
  $ partner-connect partner add --client lookout --email dev@lookout.example --create
  $ partner-connect partner list --client lookout
  $ partner-connect partner remove --client lookout --email dev@lookout.example`;

import type { Member } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Consent, carryOut, commandGroup, destructive } from "../../options/confirm.ts";
import { onDatabase } from "../../run/command.ts";
import { type Context, OperatorError } from "../../run/context.ts";
import { cutColumn, table } from "../../terminal/table.ts";

interface Invite {
  readonly client: string;
  readonly email: string;
  readonly role: string;
  readonly byMail?: boolean;
}

/** Who sees the pages of a client, at /partner. Owners invite and remove people on their own. */
export function addPartnerCommands(program: Command, context: Context): void {
  const partner = commandGroup(program, "partner", "People of partners, who see the pages of their client", EXAMPLES);
  partner
    .command("invite")
    .description("Invite somebody to the pages of a client; a former invitation of the same address ends")
    .requiredOption("--client <client>", "the client's id or name")
    .requiredOption("--email <email>", "whose account it is for, or will be")
    .option("--role <role>", "owner, who changes credentials and people; or member, who looks", "owner")
    .option("--by-mail", "the notifier sends the link, and you don't see it. Mail has to be on")
    .action(
      onDatabase(context, async ({ sql, actor, publicBaseUrl }, { client, email, role, byMail = false }: Invite) => {
        const { clientByIdOrName, inviteMember } = await import("@partner-connect/directory");
        const { id, name } = await clientByIdOrName(sql, client);
        const made = await inviteMember(sql, { clientId: id, email, role, byMail }, actor);
        const url = byMail ? null : `${publicBaseUrl ?? ""}/oauth/invitation?link=${made.token}`;
        const expires = made.expiresAt.toISOString();
        return {
          json: { client_id: id, email: made.email, role: made.role, url, expires_at: expires },
          text:
            url === null
              ? `A mail to ${made.email} invites to the pages of ${name}. Its link works once, until ${expires}.`
              : `A link for ${made.email} to see the pages of ${name} as ${made.role}:

  ${url}

Send it to that address. It works once, until ${expires}, and is not shown again; a newer one ends it.`,
          ...(url !== null &&
            publicBaseUrl === null && {
              note: "PUBLIC_BASE_URL is not set: put the address of the sign-in before the link.",
            }),
        };
      }),
    );
  partner
    .command("list")
    .description("List the people of a client, and the invitations that wait")
    .requiredOption("--client <client>", "the client's id or name")
    .action(
      onDatabase(context, async ({ sql }, { client }: { client: string }) => {
        const { clientByIdOrName, membersOfClient, pendingInvitations } = await import("@partner-connect/directory");
        const { id } = await clientByIdOrName(sql, client);
        const [members, invited] = await Promise.all([
          membersOfClient(sql, id),
          pendingInvitations(sql, { clientId: id }),
        ]);
        const nobody = { merchantId: null, name: null, since: null };
        const rows = [...members, ...invited.map((invitation) => ({ ...nobody, ...invitation }))];
        return {
          json: rows.map((row) => ({
            ...memberJson(id, row),
            since: row.since?.toISOString() ?? null,
            expires_at: "expiresAt" in row ? row.expiresAt.toISOString() : null,
          })),
          text: table(
            [cutColumn("EMAIL"), cutColumn("NAME"), "ROLE", "SINCE"],
            rows.map((row) =>
              "expiresAt" in row
                ? [row.email, "(invited)", row.role, `until ${row.expiresAt.toISOString()}`]
                : [row.email, row.name, row.role, row.since],
            ),
            `Nobody sees the pages of this client: 'partner-connect partner invite' invites somebody.`,
          ),
        };
      }),
    );
  destructive(partner.command("remove"))
    .description("Take the pages of a client from somebody, the last owner too")
    .requiredOption("--client <client>", "the client's id or name")
    .requiredOption("--email <email>", "the person's email")
    .action(
      onDatabase(context, async ({ sql, actor }, given: Consent & { client: string; email: string }) => {
        const { canonicalEmail, clientByIdOrName, membersOfClient, removeMember } = await import(
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
          `${who} can't open the pages of ${name} any more; invitations by or for this person end.`,
          "Secrets that this person has seen still work: 'partner-connect client rotate-secret' replaces them.",
        ];
        return await carryOut(context, given, effects, async () => {
          await removeMember(sql, { clientId: id, merchantId: member.merchantId, allowLast: true }, actor);
          return { json: memberJson(id, member), text: `${who} no longer sees the pages of ${name}.` };
        });
      }),
    );
}

type Listed = Pick<Member, "email" | "role"> & { readonly merchantId: string | null; readonly name: string | null };

function memberJson(clientId: string, { merchantId, email, name, role }: Listed) {
  return { client_id: clientId, merchant_id: merchantId, email, name, role };
}

const EXAMPLES = `
  $ partner-connect partner invite --client lookout --email dev@lookout.example --by-mail
  $ partner-connect partner invite --client lookout --email dev@lookout.example --role member
  $ partner-connect partner list --client lookout
  $ partner-connect partner remove --client lookout --email dev@lookout.example`;

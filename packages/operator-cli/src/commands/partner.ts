import type { Command } from "@commander-js/extra-typings";
import {
  addClientMember,
  canonicalEmail,
  clientByIdOrName,
  type Member,
  membersOfClient,
  removeClientMember,
} from "@partner-connect/directory";
import { addList, type Cli, listAnswer, OF_CLIENT, YES } from "../cli.ts";
import { OperatorError } from "../errors.ts";
import { jsonOf } from "../print.ts";
import { ACCOUNT_NAME, CREATE, newAccountLink, newAccountOf } from "./new-account.ts";

const EMAIL = ["--email <email>", "the person's email"] as const;

export default function addPartnerCommands(partner: Command, cli: Cli): void {
  const addCommand = partner
    .command("add")
    .description("Add a member to a client's partner pages; all members get a mail")
    .requiredOption(...OF_CLIENT)
    .requiredOption(...EMAIL)
    .option(...CREATE)
    .option(...ACCOUNT_NAME);
  cli.setSqlAction(addCommand, async (stack, { client, email, ...options }) => {
    const { sql, actor, publicBaseUrl } = stack;
    const create = newAccountOf(stack, options);
    const { id, name } = await clientByIdOrName(sql, client);
    const { token, ...member } = await addClientMember(sql, { clientId: id, email, create }, actor);
    const link = newAccountLink(stack, member, token);
    const said = `${member.name} (${member.email}) sees the pages of ${name}, at ${publicBaseUrl ?? ""}/partner.`;
    return {
      json: { ...memberJson(id, member), ...link.json },
      text: said + link.text,
      note: link.note,
    };
  });
  const listCommand = addList(partner, "email or name")
    .description("List the members of a client")
    .requiredOption(...OF_CLIENT);
  cli.setSqlAction(listCommand, async ({ sql }, { client, ...asked }) => {
    const { id } = await clientByIdOrName(sql, client);
    return await listAnswer(asked, {
      read: (page) => membersOfClient(sql, id, page),
      id: "merchantId",
      json: (member) => memberJson(id, member),
      head: ["EMAIL", "NAME", "SINCE"],
      cells: ({ email, name, since }) => [email, name, since],
      none: "This client has no members: 'partner-connect partner add' adds one.",
    });
  });
  const removeCommand = partner
    .command("remove")
    .description("Remove a member from a client, even the last one")
    .requiredOption(...OF_CLIENT)
    .requiredOption(...EMAIL)
    .option(...YES);
  cli.setSqlAction(removeCommand, async ({ sql, actor }, { client, email, ...consent }) => {
    const { id, name } = await clientByIdOrName(sql, client);
    const member = (await membersOfClient(sql, id)).find(
      (each) => each.email === canonicalEmail(email),
    );
    if (!member) {
      const message = `${JSON.stringify(email)} does not belong to the client ${id}`;
      throw new OperatorError(message, { code: "UNKNOWN_MEMBER" });
    }
    const who = `${member.name} (${member.email})`;
    await cli.confirm(consent, [
      `${who} can't open the pages of ${name} any more.`,
      "Secrets that this person has seen still work: 'partner-connect client rotate-secret' replaces them.",
    ]);
    await removeClientMember(sql, { clientId: id, merchantId: member.merchantId }, actor);
    return { json: memberJson(id, member), text: `${who} no longer sees the pages of ${name}.` };
  });
}

const memberJson = (clientId: string, member: Member) => ({
  client_id: clientId,
  ...jsonOf(member, "merchantId", "email", "name", "since"),
});

export const EXAMPLES = `
  $ partner-connect partner add --client Lookout --email dev@lookout.example --create`;

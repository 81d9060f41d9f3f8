import { type Merchant, type NewAccount, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import type { OpenStack } from "../cli.ts";
import { UsageError } from "../errors.ts";

export const CREATE = [
  "--create",
  "create an account if the email has none: a link to set its password is mailed, or printed if mail is off",
] as const;
export const ACCOUNT_NAME = [
  "--name <name>",
  "of the new account (default: the part before the @)",
] as const;

/**
 * The account that `--create` requests; undefined without it. @throws {UsageError} for a name
 * without `--create`
 */
export function newAccountOf(
  { mailKey }: OpenStack,
  { create, name }: { readonly create?: true | undefined; readonly name?: string | undefined },
): Omit<NewAccount, "email"> | undefined {
  if (create) return { name, mailKey };
  if (name !== undefined) throw new UsageError("--name is for a new account: give --create too");
  return undefined;
}

/**
 * The link with which a new merchant sets the password. `token` is null if the link is mailed
 * instead, undefined if the account existed.
 */
export function newAccountLink(
  stack: OpenStack,
  { name, email }: Pick<Merchant, "name" | "email">,
  token: string | null | undefined,
) {
  if (token === undefined) return { json: {}, text: "", note: undefined };
  if (token === null) {
    const text = `\n\n${name} gets a mail to ${email} with a link to set the password. It works once, for 7 days.`;
    return { json: { link: null }, text, note: undefined };
  }
  const { url, note } = passwordLink(stack, token);
  const text = `\n\nA link for ${name} (${email}) to set the password:
  ${url}
Send it where nobody else can read it. It works once, for 7 days. It is not shown again; a newer link ends it.`;
  return { json: { link: url }, text, note };
}

/** The URL of the page that sets a password. */
export function passwordLink({ publicBaseUrl }: Pick<OpenStack, "publicBaseUrl">, token: string) {
  const note =
    "PUBLIC_BASE_URL is not set: put the address at which merchants sign in before the link.";
  return {
    url: `${publicBaseUrl ?? ""}${RESET_PASSWORD_PATH}?link=${token}`,
    note: publicBaseUrl === null ? note : undefined,
  };
}

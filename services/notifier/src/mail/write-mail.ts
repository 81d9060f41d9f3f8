import type { Sql } from "@partner-connect/database";
import {
  type ClaimedMail,
  type ComposedMail,
  composeMail,
  type MailFacts,
  type MailLinks,
} from "@partner-connect/mail";
import { makeLink } from "./make-link.ts";
import { findRecipient, type Recipient } from "./recipient.query.ts";

const FORGOT_PASSWORD_PATH = "/oauth/password/forgot";

export interface LinkBases {
  /** PUBLIC_BASE_URL. */
  readonly base: string;
  readonly product: string;
  /** OIDC_ONLY is not set. */
  readonly hasPasswords: boolean;
}

type Written = ComposedMail & { readonly to: string };

/** The mail with links that are made for it; null: nobody gets it. */
export async function writeMail(sql: Sql, mail: ClaimedMail, bases: LinkBases): Promise<Written | null> {
  const { kind } = mail;
  if (kind === "none") return null;
  const recipient = kind === "test" ? tester(mail) : await findRecipient(sql, mail);
  if (!recipient) return null;
  const links = await linksOf(sql, mail, recipient.email, bases);
  if (!links) return null;
  const composed = composeMail(kind, factsOf(mail, recipient, bases.product), links, recipient.language);
  return { ...composed, to: recipient.email };
}

function tester({ about }: ClaimedMail): Recipient {
  return { email: String(about["to"]), name: null, language: null, app: null, shop: null, by: null, person: null };
}

/** Null: the link can't be made any more. */
async function linksOf(
  sql: Sql,
  mail: ClaimedMail,
  email: string,
  { base, hasPasswords }: LinkBases,
): Promise<MailLinks | null> {
  const { kind, shopId } = mail;
  const purpose = kind === "new_account" || kind === "reset_password" || kind === "invitation" ? kind : null;
  const action = purpose && (await makeLink(sql, purpose, mail, email));
  if (purpose && !action) return null;
  const at = (path: string | null) => (path === null ? null : base + path);
  const connectedApps = `${base}/oauth/connections`;
  const partner = mail.about["client_id"] === undefined ? null : `${base}/partner/${mail.about["client_id"]}`;
  return {
    action: at(action),
    newPassword: at(hasPasswords ? FORGOT_PASSWORD_PATH : null),
    connectedApps,
    people: `${connectedApps}/${shopId}/members`,
    partner,
  };
}

function factsOf(mail: ClaimedMail, recipient: Recipient, product: string): MailFacts {
  const { about, kind, merchantId, createdAt } = mail;
  const { email, name, app, shop, by, person } = recipient;
  const text = (key: string) => (typeof about[key] === "string" ? (about[key] as string) : null);
  return {
    product,
    email,
    name,
    app,
    shop,
    scope: Array.isArray(about["scope"]) ? about["scope"].map(String) : [],
    by: kind === "app_disconnected" ? (about["by"] === "client" ? app : null) : by,
    byRecipient: about["by"] === merchantId,
    person,
    role: about["role"] === "owner" || about["role"] === "member" ? about["role"] : null,
    change: text("change") as MailFacts["change"],
    device: text("device"),
    address: text("address"),
    at: createdAt,
  };
}

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
  // Where OIDC_ONLY is set there is no password to set.
  if (kind === "none" || (kind === "new_account" && !bases.hasPasswords)) return null;
  const recipient = kind === "test" ? tester(mail) : await findRecipient(sql, mail);
  if (!recipient) return null;
  const links = await linksOf(sql, mail, recipient.email, bases);
  const composed = composeMail(kind, factsOf(mail, recipient, bases.product), links, recipient.language);
  return { ...composed, to: recipient.email };
}

function tester({ about }: ClaimedMail): Recipient {
  return { email: String(about["to"]), name: null, language: null, app: null, shop: null, by: null, person: null };
}

async function linksOf(
  sql: Sql,
  { kind, about }: ClaimedMail,
  email: string,
  { base, hasPasswords }: LinkBases,
): Promise<MailLinks> {
  const hasLink = kind === "new_account" || kind === "reset_password";
  return {
    action: hasLink ? base + (await makeLink(sql, kind, email)) : null,
    newPassword: hasPasswords ? base + FORGOT_PASSWORD_PATH : null,
    connectedApps: `${base}/oauth/connections`,
    partner: about["client_id"] === undefined ? null : `${base}/partner/${about["client_id"]}`,
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
    isReplay: about["by"] === "replay",
    byRecipient: about["by"] === merchantId,
    person,
    change: text("change") as MailFacts["change"],
    device: text("device"),
    address: text("address"),
    at: createdAt,
  };
}

import type { Merchant, MerchantDetails } from "@partner-connect/directory";
import type { NewPassword } from "../../options/new-password.ts";
import { type Answer, secretShownOnce } from "../../run/command.ts";
import { type Printable, paragraphs } from "../../terminal/screen.ts";
import { cutColumn, extraColumn, fields, table } from "../../terminal/table.ts";

export function merchantJson(merchant: MerchantDetails) {
  const { id, email, name, status, createdAt, passwordChangedAt, passkeys, shops } = merchant;
  return {
    id,
    email,
    name,
    status,
    created_at: createdAt.toISOString(),
    password_changed_at: passwordChangedAt?.toISOString() ?? null,
    passkeys,
    shops,
  };
}

export function merchantTable(merchants: readonly MerchantDetails[]): Printable {
  return table(
    [cutColumn("EMAIL"), cutColumn("NAME"), "STATUS", cutColumn("SHOPS"), extraColumn("CREATED"), extraColumn("ID")],
    merchants.map(({ id, email, name, status, shops, createdAt }) => [
      email,
      name,
      status,
      shops.map((shop) => shop.name).join(", ") || null,
      createdAt,
      id,
    ]),
    "There are no such merchants.",
  );
}

export function merchantFields(merchant: MerchantDetails): Printable {
  const { id, email, name, status, createdAt, passwordChangedAt, passkeys, shops } = merchant;
  const about = fields([
    ["id", id],
    ["email", email],
    ["name", name],
    ["status", status],
    ["created", createdAt],
    ["password changed", passwordChangedAt],
    ["passkeys", `${passkeys}`],
  ]);
  const rows = shops.map((shop) => [shop.id, shop.name]);
  return paragraphs(about, table(["SHOP", cutColumn("NAME")], rows, "Belongs to no shop."));
}

/** Who the merchant is, and the password if it was made and nobody knows it yet. */
export function merchantWithPassword(
  sentence: string,
  { id, email, name }: Merchant,
  chosen?: NewPassword,
): Pick<Answer, "json" | "text"> {
  const shown = [
    ["id", id],
    ["email", email],
  ] as const;
  if (!chosen?.isGenerated) return { json: { id, email, name }, text: `${sentence}\n\n${fields(shown)}` };
  return secretShownOnce({
    sentence,
    shown: [...shown, ["password", chosen.password]],
    json: { id, email, name, password: chosen.password },
    next: "Hand the password over",
  });
}

import { randomUUID } from "node:crypto";
import type { StackUnderTest } from "../stack/stacks.ts";
import { operator } from "./operator.ts";

export const REDIRECT_URI = "https://partner.example/callback";

export interface PartnerClient {
  readonly clientId: string;
  readonly secret: string;
  readonly name: string;
}

export interface MerchantAccount {
  readonly email: string;
  readonly password: string;
}

export interface ShopRecord {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
}

export interface ClientOptions {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly scope?: string;
}

type Stack = Pick<StackUnderTest, "dataDir">;

export async function onboardClient(
  stack: Stack,
  options: ClientOptions = {},
): Promise<PartnerClient> {
  const {
    name = `App ${randomUUID()}`,
    redirectUris = [REDIRECT_URI],
    scope = "responses:read sources:write",
  } = options;
  const created = await operator(stack, [
    ...["client create --allow-duplicate-name --name", name, "--scope", scope],
    ...redirectUris.flatMap((uri) => ["--redirect-uri", uri]),
  ]);
  return { clientId: created.client_id, secret: created.client_secret, name };
}

/** `mailbox`: the part of the email before the `@`. */
export async function onboardMerchant(
  stack: Stack,
  mailbox: string = randomUUID(),
): Promise<MerchantAccount> {
  const email = `${mailbox}@merchant.example`;
  const password = `correct horse ${randomUUID()}`;
  await operator(stack, ["merchant create --name Ada --email", email, "--password", password]);
  return { email, password };
}

export async function onboardShop(
  stack: Stack,
  owner: MerchantAccount,
  plan: "standard" | "advanced_attribution" = "standard",
): Promise<ShopRecord> {
  const name = `Shop ${randomUUID()}`;
  return await operator(stack, [
    "shop create --plan",
    plan,
    "--owner",
    owner.email,
    "--name",
    name,
  ]);
}

export type Onboarded = Awaited<ReturnType<typeof onboard>>;

/** Most files' set-up: a client for both scopes, and a merchant with a shop on each plan. */
export async function onboard(stack: Stack, client: ClientOptions = {}) {
  const [registered, merchant] = await Promise.all([
    onboardClient(stack, client),
    onboardMerchant(stack),
  ]);
  const [shop, advancedShop] = await Promise.all([
    onboardShop(stack, merchant),
    onboardShop(stack, merchant, "advanced_attribution"),
  ]);
  return { client: registered, merchant, shop, advancedShop };
}

export async function onboardApiKey(
  stack: Stack,
  shop: ShopRecord,
): Promise<{ id: string; key: string }> {
  const { id, api_key: key } = await operator(stack, ["api-key", "create", "--shop", shop.id]);
  return { id, key };
}

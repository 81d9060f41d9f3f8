import type { Scope } from "@partner-connect/contract";
import type { ClientSecret } from "./client-secret.ts";

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** Software that a partner registered. */
export interface Client {
  readonly clientId: string;
  /** Shown to merchants on the consent page. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The scopes that it may request. */
  readonly scope: readonly Scope[];
  readonly grantTypes: readonly GrantType[];
  readonly status: "active" | "disabled";
  /** The company behind it, as merchants read it. Null, as below: the operator gave none. */
  readonly publisher: string | null;
  /** https, as merchants may follow it. */
  readonly website: string | null;
  /** https, as merchants may follow it. */
  readonly privacyPolicy: string | null;
  /** Where the authorization server serves its logo: a path on the host of the merchant pages. */
  readonly logoPath: string | null;
  readonly secrets: readonly ClientSecret[];
}

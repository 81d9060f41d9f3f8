import type { Scope } from "@partner-connect/access-token";
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
  readonly secrets: readonly ClientSecret[];
}

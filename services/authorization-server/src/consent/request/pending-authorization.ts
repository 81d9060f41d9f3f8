import type { Scope } from "@partner-connect/contract";
import type { Client } from "@partner-connect/directory";

/** An authorization that this browser began and that waits for the merchant's decision. */
export interface PendingAuthorization {
  /** The sealed request, as the URLs of its pages contain it. */
  readonly sealed: string;
  /** As it is now. */
  readonly client: Client;
  /** As presented. It was validated, and is still registered. */
  readonly redirectUri: string;
  /** As requested. */
  readonly scope: readonly Scope[];
  readonly state: string;
  readonly codeChallenge: string;
  /** 256 bits of this authorization alone, never stored, sent or shown. Its grant id and its code are derived from it. */
  readonly secret: string;
  readonly secondsLeft: number;
}

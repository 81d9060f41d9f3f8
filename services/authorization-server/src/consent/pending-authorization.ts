import type { Scope } from "@partner-connect/access-token";
import type { Client } from "@partner-connect/directory";

/** An authorization that this browser began and that waits for its merchant. */
export interface PendingAuthorization {
  /** The request as it travels in the URLs of its pages. */
  readonly sealed: string;
  /** As it is now. */
  readonly client: Client;
  /** As presented, validated, and registered still. */
  readonly redirectUri: string;
  /** As requested. */
  readonly scope: readonly Scope[];
  readonly state: string;
  readonly codeChallenge: string;
  /** 256 bits of this authorization alone. Not stored, sent or shown; what it leads to is derived from it. */
  readonly secret: string;
  readonly secondsLeft: number;
}

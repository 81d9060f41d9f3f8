export interface Shop {
  readonly connectionId: string;
  readonly name: string;
  readonly domain: string | null;
  readonly plan: string;
  /** What calls may use: as granted, and as the last sync found it. */
  readonly scope: readonly string[];
  readonly connectedAt: string;
  /** When the copy last changed, or was found to be as the shop; null before the first one is whole. */
  readonly syncedAt: string | null;
  readonly responses: number;
  /** Responses that the shop deleted, and we after it. */
  readonly deletions: number;
  readonly trouble: Trouble | null;
}

export interface Trouble {
  /** Of an error, or the status of a connection that is not connected. */
  readonly code: string;
  /** Of a connection that has ended: the SDK's `ReconnectReason`. */
  readonly reason?: string;
}

export function mayCreateSources({ scope }: Shop): boolean {
  return scope.includes("sources:write");
}

/** Only the merchant can mend it, by connecting again. */
export function mustReconnect({ trouble }: Shop): boolean {
  return (
    trouble !== null &&
    ["revoked", "expired", "reconnect_required", "invalid_grant", "unknown_connection"].includes(trouble.code)
  );
}

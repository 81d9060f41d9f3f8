/* What services tell at `/keys` of their internal ports, by which a rotation goes on. Ages, so that no other clock counts. No secret. */

export interface PublishingReport {
  /** The ids of the keys in its JWKS. */
  readonly published: readonly string[];
  readonly active: string;
  /** For how long this process has published each of them, in whole seconds. */
  readonly published_seconds: Readonly<Record<string, number>>;
  /** For how long this process has signed with no other key than the active one. */
  readonly active_seconds: number;
  /** When the file was last read and found good. */
  readonly keys_file_read_at: string;
  /** What is wrong with the file now; the last good keys are in use. */
  readonly keys_file_problem: string | null;
  /** How long others may keep the JWKS. */
  readonly jwks_max_age_seconds: number;
  /** How long the tokens live that it signs. */
  readonly access_token_ttl_seconds: number;
}

export interface KnowingReport {
  readonly known: readonly string[];
  /** Null: it has no keys yet. */
  readonly fetched_at: string | null;
  readonly age_seconds: number | null;
}

/** Since when a process publishes each key, and since when the active one signs. */
export class KeyTimes {
  #published: ReadonlyMap<string, number> = new Map();
  #active: { readonly kid: string; readonly since: number } | undefined;

  /** From now on these are in use. `now`: seconds of a monotonic clock. */
  note(
    published: readonly { readonly kid?: string | undefined }[],
    active: string,
    now = performance.now() / 1000,
  ): void {
    const kids = published.map(({ kid }) => kid ?? "");
    this.#published = new Map(kids.map((kid) => [kid, this.#published.get(kid) ?? now]));
    if (this.#active?.kid !== active) this.#active = { kid: active, since: now };
  }

  report(
    now = performance.now() / 1000,
  ): Pick<PublishingReport, "published" | "active" | "published_seconds" | "active_seconds"> {
    const age = (since: number): number => Math.max(0, Math.floor(now - since));
    return {
      published: [...this.#published.keys()],
      active: this.#active?.kid ?? "",
      published_seconds: Object.fromEntries([...this.#published].map(([kid, since]) => [kid, age(since)])),
      active_seconds: this.#active ? age(this.#active.since) : 0,
    };
  }
}

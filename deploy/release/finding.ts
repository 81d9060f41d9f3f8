/** What one check found. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do, where it is not well. */
  readonly remedy?: string;
}

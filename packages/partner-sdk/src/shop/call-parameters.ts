/** A time as the API reads it: RFC 3339, or a Date. */
export type Time = string | Date;

export interface CallOptions {
  /** Ends the call, also while it waits to be repeated. */
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  /** Records of one page, 1 to 1000. Default: 1000. The list goes on to its end all the same. */
  readonly limit?: number;
  /** The id of a record: the list begins after it. */
  readonly starting_after?: string | number;
}

export interface ListResponses extends ListOptions {
  /** Default: `inserted_at_desc`, newest first. */
  readonly sort?: "inserted_at_desc" | "inserted_at_asc" | "updated_at_desc" | "updated_at_asc";
  /** Beside `starting_after`: the time of that record by which you sort, `inserted_at` or `updated_at`, as it was shown. */
  readonly cursor_time?: Time;
  /** Bounds include their time. Default: none. */
  readonly inserted_at_min?: Time;
  readonly inserted_at_max?: Time;
  readonly updated_at_min?: Time;
  readonly updated_at_max?: Time;
}

export interface ListDeletedResponses extends ListOptions {
  /** Beside `starting_after`: the `deleted_at` of that record, as it was shown. */
  readonly cursor_time?: Time;
  /** Bounds include their time. Default: none. */
  readonly deleted_at_min?: Time;
  readonly deleted_at_max?: Time;
}

export interface CreateSourceOptions extends CallOptions {
  /** The same one again, within 24 hours, gets the first answer. Default: one of its own for each call. */
  readonly idempotencyKey?: string;
}

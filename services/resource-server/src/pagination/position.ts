/** A place in the order: the time that the sort goes by, in milliseconds since the epoch, and the id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

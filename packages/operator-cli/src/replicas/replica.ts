/** A process of one of the services, by its internal port. */
export interface Replica {
  /** For people. */
  readonly name: string;
  /** Base URL of its internal port. */
  readonly url: string;
}

import type { SecondFactorChange } from "../mail.ts";

/** What is known about a mail when it is sent, as people read it. What does not concern its kind is null. */
export interface MailFacts {
  /** How merchants know us. */
  readonly product: string;
  /** Of the recipient. */
  readonly email: string;
  readonly name: string | null;
  readonly app: string | null;
  readonly shop: string | null;
  /** Scopes. */
  readonly scope: readonly string[];
  /** Who did it: a merchant's name, or the app that ended its connection. Null: we. */
  readonly by: string | null;
  /** We ended a connection, as its app sent a used code again. */
  readonly isReplay: boolean;
  /** The recipient did it. */
  readonly byRecipient: boolean;
  /** Who was added to the shop or the app, or removed. */
  readonly person: string | null;
  readonly change: SecondFactorChange | null;
  readonly device: string | null;
  readonly address: string | null;
  readonly at: Date;
}

import type { FastifyRequest } from "fastify";

/** What pages know of mail where it is on. */
export interface PageMail {
  /** The address that our mails come from. */
  readonly from: string;
  /**
   * Counts a mail that somebody asks for: by network, and by the mailbox that it goes to. Null, or for how long none must be sent. Addresses
   * that nobody has count like others.
   */
  allow(request: FastifyRequest, to: string): Promise<MailWait | null>;
}

export interface MailWait {
  readonly seconds: number;
  readonly minutes: number;
}

import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail that the stack's services have sent. */
export interface TakenMail {
  readonly id: string;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailbox {
  /** The newest first. */
  list(): readonly TakenMail[];
  close(): Promise<void>;
}

/** The oldest are forgotten. */
const KEPT = 500;

/** An SMTP server on this machine that takes every mail and sends none on. Its mails are gone when it ends. */
export async function startMailbox(port: number): Promise<Mailbox> {
  const mails: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 1000,
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then(({ from, subject = "", text = "", html = "", messageId }) => {
          const to = envelope.rcptTo.map(({ address }) => address).join(", ");
          const id = /^<(\w+)@/.exec(messageId ?? "")?.[1] ?? `mail_${mails.length}`;
          const sender = from?.name ? `${from.name} <${from.address}>` : (from?.address ?? "");
          mails.unshift({ id, at: new Date().toISOString(), from: sender, to, subject, text, html });
          mails.splice(KEPT);
          done();
        })
        .catch((error: Error) => done(error));
    },
  });
  server.on("error", () => {}); // of a client that leaves
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return { list: () => mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

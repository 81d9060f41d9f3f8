import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail that the stack's services have sent. */
type ReceivedMail = Readonly<Record<"at" | "from" | "to" | "subject" | "text" | "html", string>>;

/** The newest first. */
export type Mailbox = readonly ReceivedMail[];

/** Maximum number of stored mails; older ones are dropped. */
const KEPT = 500;

/**
 * Starts an SMTP server on this machine that accepts every mail and forwards none. It keeps mails
 * in memory.
 */
export async function startMailbox(port: number): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then(({ from, subject = "", text = "", html = "" }) => {
          const to = envelope.rcptTo.map(({ address }) => address).join(", ");
          const sender = from?.name ? `${from.name} <${from.address}>` : (from?.address ?? "");
          mails.unshift({ at: new Date().toISOString(), from: sender, to, subject, text, html });
          mails.splice(KEPT);
          done();
        })
        .catch((error: Error) => done(error));
    },
  });
  server.on("error", () => {}); // a client has disconnected
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return mails;
}

/** The mails of the stack's services: `/mail` for people, `/mail.json` for tests. */
export function addMailPages(app: FastifyInstance, mails: Mailbox): void {
  app.get("/mail.json", async () => mails);
  app.get("/mail", async (_request, reply) => {
    const texts = mails.map(
      ({ at, from, to, subject, text }) => `${at} from ${from} to ${to}\n${subject}\n\n${text}`,
    );
    return reply
      .type("text/plain; charset=utf-8")
      .send(texts.join(`\n${"_".repeat(72)}\n\n`) || "No mail yet.\n");
  });
}

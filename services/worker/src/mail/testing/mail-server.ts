import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>;

/** A real SMTP server whose faults a test controls. */
export async function startMailServer(
  port = 0,
  options: SMTPServerOptions = {},
  host = "127.0.0.1",
) {
  /** The accepted mails, in order. */
  const taken: Email[] = [];
  /** Called for each mail to an address, with a function that accepts it. Default: accept. */
  const answers = new Map<string, (take: () => void) => void>();
  /** Addresses that the server refuses with this code, or for which it drops the connection. */
  const refused = new Map<string, number | "drop">();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 1,
    ...options,
    onRcptTo({ address }, session, done) {
      const code = refused.get(address);
      if (code !== "drop")
        done(
          code === undefined
            ? null
            : Object.assign(new Error(`<${address}> is refused`), { responseCode: code }),
        );
      else for (const each of server.connections) if (each.session === session) each.close();
    },
    async onData(stream, { envelope }, done) {
      const mail = await PostalMime.parse(await text(stream));
      const take = () => {
        taken.push(mail);
        done(null);
      };
      (answers.get(envelope.rcptTo[0]?.address ?? "") ?? ((accept) => accept()))(take);
    },
  });
  server.on("error", () => {}); // a client may drop its connection
  server.listen(port, host);
  await once(server.server, "listening");
  return {
    url: `smtp://${host}:${(server.server.address() as AddressInfo).port}`,
    taken,
    to: (address: string) => taken.filter(({ to }) => to?.some((each) => each.address === address)),
    answers,
    refused,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

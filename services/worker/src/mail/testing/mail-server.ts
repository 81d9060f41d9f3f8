import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface TestMailServer {
  readonly url: string;
  /** The accepted mails, in order. */
  readonly taken: Email[];
  to(address: string): Email[];
  /** The behaviour for mails to an address, after they were read; default: accept. */
  readonly answers: Map<string, (take: () => void, refuse: (code: number, reason: string) => void) => void>;
  /** Addresses that it refuses before it reads a mail, with the code; or it drops the connection without a reply. */
  readonly refused: Map<string, number | "drop">;
  close(): Promise<void>;
}

/** A real SMTP server whose faults a test controls. */
export async function startMailServer(
  port = 0,
  options: SMTPServerOptions = {},
  host = "127.0.0.1",
): Promise<TestMailServer> {
  const taken: Email[] = [];
  const answers: TestMailServer["answers"] = new Map();
  const refused: TestMailServer["refused"] = new Map();
  const failure = (responseCode: number, reason: string) => Object.assign(new Error(reason), { responseCode });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 1,
    ...options,
    onRcptTo({ address }, session, done) {
      const code = refused.get(address);
      if (code === "drop") for (const each of server.connections) if (each.session === session) each.close();
      if (code !== "drop") done(code === undefined ? null : failure(code, `<${address}> is refused`));
    },
    async onData(stream, { envelope }, done) {
      const mail = await PostalMime.parse(await text(stream));
      const take = () => {
        taken.push(mail);
        done(null);
      };
      const answer = answers.get(envelope.rcptTo[0]?.address ?? "");
      if (answer) answer(take, (code, reason) => done(failure(code, reason)));
      else take();
    },
  });
  server.on("error", () => {}); // of a client that leaves
  server.listen(port, host);
  await once(server.server, "listening");
  return {
    url: `smtp://${host}:${(server.server.address() as AddressInfo).port}`,
    taken,
    to: (address) => taken.filter(({ to }) => to?.some((each) => each.address === address)),
    answers,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

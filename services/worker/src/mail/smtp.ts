import type { ComposedMail } from "@partner-connect/mail";
import { createTransport } from "nodemailer";
import { FinalFailure } from "../jobs.ts";

export interface SmtpOptions {
  /**
   * `smtps://` (TLS from the first byte) or `smtp://` (STARTTLS; without TLS on this machine or
   * with `?tls=off`), with user and password.
   */
  readonly url: string;
  readonly from: { readonly name: string; readonly address: string };
  /** For tests. */
  readonly limits?: Partial<typeof LIMITS>;
}

/**
 * Time limits in milliseconds. A server may scan a mail for a minute before it accepts it (RFC 5321
 * §4.5.3.2 allows ten). If the client gives up earlier, it sends the mail again. `attempt` ends a
 * dialog with a server that responds byte by byte, before the mail's job expires after 300 s.
 */
const LIMITS = { connect: 30_000, answer: 120_000, attempt: 240_000 };

export interface AddressedMail extends ComposedMail {
  readonly to: string;
  /** The same id in each attempt, so that mail clients can recognize duplicates. */
  readonly messageId: string;
}

/**
 * Resolves once the server has taken the mail. @throws {FinalFailure} the server refuses this
 * recipient or this mail for good @throws {Error} another attempt may succeed; the messages are one
 * line, without a secret
 */
export type SendMail = (mail: AddressedMail) => Promise<void>;

/**
 * Each mail has its own connection, so that no mail waits for another one, or uses a connection
 * that the server has closed.
 */
export function smtpSender({ url, from, limits }: SmtpOptions): SendMail {
  const { connect, answer, attempt } = { ...LIMITS, ...limits };
  const transport = createTransport({
    ...serverOf(url),
    dnsTimeout: connect,
    connectionTimeout: connect,
    greetingTimeout: connect,
    socketTimeout: answer,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { hostname } = new URL(`http://${from.address.slice(from.address.lastIndexOf("@") + 1)}`);
  return async ({ messageId, ...mail }) => {
    const message = {
      ...mail,
      from,
      messageId: `<${messageId}@${hostname}>`,
      headers: { "Auto-Submitted": "auto-generated" }, // RFC 3834: prevents automatic replies
      signal: AbortSignal.timeout(attempt),
    };
    await transport.sendMail(message).catch((error) => {
      throw failureOf(error);
    });
  };
}

function serverOf(url: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === "smtps:";
  const isPlain =
    searchParams.get("tls") === "off" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(!secure && (isPlain ? { ignoreTLS: true } : { requireTLS: true })),
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
  };
}

function failureOf(
  error: Error & { code?: string; responseCode?: number; response?: string; command?: string },
) {
  const { code, responseCode = 0, response, command, message } = error;
  const said = response ?? (code === undefined ? message : `${message} (${code})`);
  // The server's reply may contain the address too.
  const line = said.replace(/[^\s<>]+@[^\s<>]+/g, "…").replace(/\s+/g, " ");
  const reason = `${command ? `${command}: ` : ""}${line.slice(0, 300)}`;
  // The server refuses this recipient or this mail for good. A refused login is not final.
  const isFinal = responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
  return isFinal ? new FinalFailure(reason) : new Error(reason);
}

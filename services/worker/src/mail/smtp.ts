import type { ComposedMail } from "@partner-connect/mail";
import { createTransport } from "nodemailer";

export interface SmtpOptions {
  /** `smtps://` (TLS from the first byte) or `smtp://` (STARTTLS, and on this machine or with `?tls=off` without), with user and password. */
  readonly url: string;
  /** The sender's address and display name. */
  readonly from: { readonly name: string; readonly address: string };
  /** For tests. */
  readonly limits?: Partial<typeof LIMITS>;
}

/**
 * Milliseconds. A server may scan a mail for a minute before it accepts it (RFC 5321 §4.5.3.2 allows ten); a client that gives up
 * earlier sends it again. `attempt` is for a server that answers byte by byte; a job of the kind `mail` may take longer.
 */
const LIMITS = { connect: 30_000, answer: 120_000, attempt: 240_000 };

export interface AddressedMail extends ComposedMail {
  readonly to: string;
  /** The same in each attempt, so that mail clients can recognize duplicates. */
  readonly messageId: string;
}

/** The reason why a mail was not sent. */
interface MailFailure {
  /** One line, without a secret. */
  readonly reason: string;
  /** The server refuses this recipient or this mail for good: another attempt would be refused too. */
  readonly isFinal: boolean;
}

/** Resolves once the server has taken the mail; null: it was sent. */
export type SendMail = (mail: AddressedMail) => Promise<MailFailure | null>;

/** Each mail has its own connection, so none waits for another, or uses one that the server has closed. */
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
  return async ({ messageId, ...mail }) =>
    await transport
      .sendMail({
        ...mail,
        from,
        messageId: `<${messageId}@${hostname}>`,
        headers: { "Auto-Submitted": "auto-generated" }, // RFC 3834: no holiday notes in return
        signal: AbortSignal.timeout(attempt),
      })
      .then(() => null, failureOf);
}

function serverOf(url: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === "smtps:";
  const isPlain = searchParams.get("tls") === "off" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(!secure && (isPlain ? { ignoreTLS: true } : { requireTLS: true })),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  };
}

/** The server refuses this recipient or this mail permanently. A refused login does not count. */
const FINAL_COMMANDS = ["RCPT TO", "DATA"];

function failureOf(error: Error & { code?: string; responseCode?: number; response?: string; command?: string }) {
  const { code, responseCode, response, command = "", message } = error;
  const said = response ?? (code === undefined ? message : `${message} (${code})`);
  // The server's reply may contain the address too.
  const reason = said
    .replace(/[^\s<>]+@[^\s<>]+/g, "…")
    .replace(/\s+/g, " ")
    .slice(0, 300);
  return { reason: command ? `${command}: ${reason}` : reason, isFinal: isFinal(responseCode, command) };
}

function isFinal(code: number | undefined, command: string): boolean {
  return code !== undefined && code >= 500 && FINAL_COMMANDS.includes(command);
}

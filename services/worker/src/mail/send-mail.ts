import type { Sql } from "@partner-connect/database";
import type { MailJob } from "@partner-connect/mail";
import { FinalFailure, type Kind } from "../jobs.ts";
import type { SendMail } from "./smtp.ts";
import { type LinkBases, writeMail } from "./write-mail.ts";

export interface MailServer {
  readonly send: SendMail;
  readonly bases: LinkBases;
}

/** Each mail holds its place for up to two minutes, if the server is silent. */
const LANES = 8;

/** Sends mails. `server` null: none is set, and mails are dropped. */
export function mailKind(sql: Sql, server: MailServer | null): Kind<MailJob> {
  return {
    ...{ kind: "mail", lanes: LANES, batch: 1 },
    async run({ id, data, createdAt }) {
      const mail = server && (await writeMail(sql, data, createdAt, server.bases));
      if (!mail) return "dropped";
      const failure = await server.send({ ...mail, messageId: `mail_${id.replaceAll("-", "")}` });
      if (failure === null) return "sent";
      throw failure.isFinal ? new FinalFailure(failure.reason) : new Error(failure.reason);
    },
  };
}

import { docsLayout } from "@partner-connect/developer-docs";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance } from "fastify";
import type { Mailbox, TakenMail } from "./mailbox.ts";

/** What the stack's services have mailed: `/mail` for people, `/mail.json` for tests. */
export function mailPages(app: FastifyInstance, { list }: Mailbox, headers: Readonly<Record<string, string>>): void {
  const withFrame = headers["content-security-policy"]?.replace(
    "default-src 'none'",
    "default-src 'none'; frame-src 'self'",
  );
  app.get("/mail", async (_request, reply) =>
    reply.headers({ ...headers, "content-security-policy": withFrame }).send(mailList(list()).toString()),
  );
  app.get("/mail.json", async () => list());
  app.get<{ Params: { id: string } }>("/mail/:id", async ({ params }, reply) => {
    const mail = list().find(({ id }) => id === params.id);
    if (!mail) return reply.callNotFound();
    return reply.headers({ ...headers, "content-security-policy": SANDBOX }).send(`<base target="_blank">${mail.html}`);
  });
}

/** It is shown in a frame of the list. It runs nothing, and its links open in a tab of their own. */
const SANDBOX =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'self'";

function mailList(mails: readonly TakenMail[]): Html {
  const title = "Mails of this stack";
  return docsLayout({
    name: null,
    title,
    main: html`<h1>${title}</h1>
<p>Nothing leaves this machine: the stack's own server takes the mails of its services, and forgets them when it ends. The newest is first; tests read <a href="/mail.json">/mail.json</a>. <a href="/">Back to the start</a></p>
${mails.length === 0 && html`<p>No mail was sent yet.</p>`}
${mails.map(
  ({ id, at, from, to, subject, text }) => html`<h2 id="${id}">${subject}</h2>
<p>To ${to}, from ${from}, ${at}</p>
<details><summary>As text</summary><pre>${linked(text)}</pre></details>
<details><summary>As HTML</summary><iframe src="/mail/${id}" title="${subject}" width="100%" height="480" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe></details>
`,
)}`,
  });
}

function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));
}

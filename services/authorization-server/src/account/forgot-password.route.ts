import { normalizeIP } from "@fastify/rate-limit";
import { transaction } from "@partner-connect/database";
import {
  canonicalEmail,
  findMerchantByEmail,
  hashCredential,
  mailResetLink,
} from "@partner-connect/directory";
import { noteFacts, type Redis, WindowCounts } from "@partner-connect/service-runtime";
import { type Html, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { browserSecretOrNew, formToken, isOurForm } from "../browser/csrf.ts";
import {
  knownEmail,
  rememberPage,
  requestedReturn,
  withSameReturn,
} from "../browser/return-paths.ts";
import type { Config } from "../config.ts";
import { formField } from "../pages/forms.ts";
import { cardPage, contactButton, formProblem, type Locale, notice } from "../pages/frame.ts";
import { FORGOT_PASSWORD_PATH, SIGN_IN_PATH } from "../pages/paths.ts";
import { redirectTo, sendPage } from "../pages/send-page.ts";

type Problem = (locale: Locale) => Html | string;

/**
 * If mail is on, a form to request a link to set a new password. Neither the response nor its time
 * discloses whether the address has an account. If mail is off, the page names the support contact.
 */
export function forgotPasswordRoute(app: FastifyInstance): void {
  const { pagesSql, redis, config } = app;
  const mail = resetMail(redis, config.mail);

  app.get(FORGOT_PASSWORD_PATH, async (request, reply) => {
    // Another page may link here to set a new password; the merchant then returns to that page.
    const asked = requestedReturn(request);
    if (asked) rememberPage(reply, asked);
    const ways = formLinks(reply);
    if (mail === null) return sendPage(reply, (locale) => askSupportView(ways, locale));
    if (formField(request.query, "sent") !== "")
      return sendPage(reply, (locale) => sentView(mail.from, ways, locale));
    return showForm(reply, knownEmail.read(request) ?? "");
  });
  if (mail === null) return;

  app.post(FORGOT_PASSWORD_PATH, async (request, reply) => {
    const email = formField(request.body, "email").trim();
    knownEmail.set(reply, email);
    if (!isOurForm(request, FORGOT_PASSWORD_PATH)) {
      return showForm(reply, email, formProblem(request), 403);
    }
    if (canonicalEmail(email)?.includes("@") !== true) {
      return showForm(reply, email, ({ texts }) => texts.password.forgot.notAnAddress, 422);
    }
    const wait = await mail.countRequest(request, email);
    if (wait !== null) {
      reply.header("retry-after", wait.seconds);
      const problem: Problem = ({ texts }) => texts.password.forgot.tooMany(wait.minutes);
      return showForm(reply, email, problem, 429);
    }
    try {
      const merchant = await findMerchantByEmail(pagesSql, email);
      const account = merchant?.status === "active" ? merchant : null;
      await transaction(pagesSql, (tx) => mailResetLink(tx, "reset_password", account, mail.key));
    } catch (error) {
      await mail.takeBack(request, email);
      throw error;
    }
    return redirectTo(reply, withSameReturn(reply, `${FORGOT_PASSWORD_PATH}?sent=1`));
  });
}

const WINDOW_SECONDS = 30 * 60;
/** Requests per network and window. A whole office may share a network. */
const OF_NETWORK = 60;
/**
 * Mails per mailbox and window. A further request is refused only while an earlier link still
 * works, so a stranger can't lock a merchant out.
 */
const TO_MAILBOX = 3;

/** The sender, the key of links, and the limit of mails to set a password; null without mail. */
function resetMail(redis: Redis, mail: Config["mail"]) {
  if (mail === null) return null;
  const counts = new WindowCounts(WINDOW_SECONDS, { redis, prefix: "mail" });
  const keysOf = (request: FastifyRequest, to: string) => ({
    network: `network:${normalizeIP(request.ip)}`,
    mailbox: `to:${hashCredential(canonicalEmail(to) ?? to).toString("base64url")}`,
  });
  return {
    from: mail.from.address,
    key: mail.key,
    /**
     * Counts a requested mail by network and by mailbox. Returns null, or the wait until the next
     * mail is allowed. Addresses without an account count like others.
     */
    async countRequest(
      request: FastifyRequest,
      to: string,
    ): Promise<{ seconds: number; minutes: number } | null> {
      const { network, mailbox } = keysOf(request, to);
      let { current, ttl } = await counts.add(network);
      if (current <= OF_NETWORK) {
        ({ current, ttl } = await counts.add(mailbox));
        if (current <= TO_MAILBOX) return null;
        await counts.takeBack(network);
      }
      noteFacts(request, { reason: "throttled", limit: "mail" });
      return { seconds: Math.ceil(ttl / 1000), minutes: Math.ceil(ttl / 60_000) };
    },
    /** Removes a mail that could not be queued from the counts. */
    async takeBack(request: FastifyRequest, to: string): Promise<void> {
      await Promise.all(Object.values(keysOf(request, to)).map((key) => counts.takeBack(key)));
    },
  };
}

type FormLinks = ReturnType<typeof formLinks>;

/**
 * `again`: where the form is sent, with the page to return to afterwards. `back`: the page that the
 * merchant came from, or the sign-in.
 */
function formLinks(reply: FastifyReply) {
  const back = requestedReturn(reply.request)?.path ?? SIGN_IN_PATH;
  return { again: withSameReturn(reply, FORGOT_PASSWORD_PATH), back };
}

function showForm(reply: FastifyReply, email: string, problem?: Problem, status = 200) {
  const token = formToken(browserSecretOrNew(reply), FORGOT_PASSWORD_PATH);
  const { again, back } = formLinks(reply);
  const described = problem && html` aria-describedby="problem"`;
  const page = (locale: Locale) => {
    const { password, signIn } = locale.texts;
    const texts = password.forgot;
    const content = html`${notice("problem", problem && html`<span id="problem">${problem(locale)}</span>`, false)}
<form method="post" action="${again}">
<input type="hidden" name="token" value="${token}">
<label for="email">${signIn.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}" autofocus${described}>
<div class="actions"><button class="primary">${texts.submit}</button>
<a class="button" href="${back}">${signIn.openId.back}</a></div>
</form>`;
    return cardPage(locale, { title: signIn.forgot, heading: texts.lead }, content);
  };
  return sendPage(reply, page, { status });
}

function sentView(from: string, { again, back }: FormLinks, locale: Locale): Html {
  const texts = locale.texts.password.sent;
  const content = html`<p class="lead">${texts.lead(html`<strong>${from}</strong>`)}</p>
<p class="lead">${texts.noMail}</p>
<div class="actions"><a class="button primary" href="${back}">${locale.texts.signIn.openId.back}</a>
<a class="button" href="${again}">${texts.again}</a>
${locale.frame.links.contact !== null && contactButton(locale)}</div>`;
  return cardPage(locale, { title: texts.title }, content);
}

function askSupportView({ back }: FormLinks, locale: Locale): Html {
  const { password, signIn } = locale.texts;
  const content = html`<div class="actions">${contactButton(locale, " primary")}
<a class="button" href="${back}">${signIn.openId.back}</a></div>`;
  return cardPage(locale, { title: signIn.forgot, heading: password.forgot.askUs }, content);
}

import { confirmAddress, findAddressLink, type MerchantAccount } from "@partner-connect/directory";
import { CONFIRM_ADDRESS_PATH, queueMail } from "@partner-connect/mail";
import { type Html, type HtmlValue, html } from "@partner-connect/service-runtime/html";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { cardPage, notice } from "../merchant-page/frame/layout.ts";
import { named } from "../merchant-page/frame/name.ts";
import { redirectTo, sendMerchantPage } from "../merchant-page/frame/send-merchant-page.ts";
import { beforeDeadline, originOf, type PageContext } from "../merchant-page/page-context.ts";
import { CONNECTED_APPS_PATH } from "../merchant-page/paths.ts";
import { signInFirst } from "../merchant-page/return/sign-in-first.ts";
import type { Texts } from "../merchant-page/texts/en.ts";
import type { Locale } from "../merchant-page/texts/locale.ts";

type LinkRequest = FastifyRequest<{ Querystring: { link?: unknown; sent?: unknown } }>;

/**
 * An account that an invitation's link made can show here that its address is the merchant's. The person who confirms reads the mailbox and is
 * signed in: neither alone is enough.
 */
export function confirmAddressRoutes(app: FastifyInstance, context: PageContext): void {
  const { sql, mail, signIn, formTokens } = context;

  app.get(CONFIRM_ADDRESS_PATH, async (request: LinkRequest, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const token = tokenOf(request);
    if (token !== null && !merchant.confirmed) {
      const email = await beforeDeadline(findAddressLink(sql, token));
      if (email !== merchant.email)
        return show(context, reply, merchant, { status: 410, problem: ({ confirmAddress }) => confirmAddress.ended });
      return show(context, reply, merchant, { token });
    }
    const said = mail && request.query.sent !== undefined;
    return show(context, reply, merchant, {
      said: (texts) => said && texts.sent(named(merchant.email), html`<strong>${mail.from}</strong>`),
    });
  });

  app.post(CONFIRM_ADDRESS_PATH, async (request: LinkRequest, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const token = tokenOf(request);
    if (!formTokens.isValid(request, CONFIRM_ADDRESS_PATH)) {
      return show(context, reply, merchant, { status: 403, problem: ({ frame }) => frame.outOfDate, token });
    }
    if (merchant.confirmed) return redirectTo(reply, CONFIRM_ADDRESS_PATH);
    if (token !== null) {
      const isConfirmed = await beforeDeadline(confirmAddress(sql, token, merchant, originOf(request)));
      if (isConfirmed) return redirectTo(reply, CONFIRM_ADDRESS_PATH);
      return show(context, reply, merchant, { status: 410, problem: ({ confirmAddress }) => confirmAddress.ended });
    }
    if (mail === null) return redirectTo(reply, CONNECTED_APPS_PATH);
    const wait = await mail.allow(request, "confirm_address", merchant.email);
    if (wait !== null) {
      reply.header("retry-after", wait.seconds);
      const problem = ({ password }: Texts) => password.forgotByMail.tooMany(wait.minutes);
      return show(context, reply, merchant, { status: 429, problem });
    }
    await beforeDeadline(queueMail(sql, { kind: "confirm_address", merchantId: merchant.id }));
    return redirectTo(reply, `${CONFIRM_ADDRESS_PATH}?sent=1`);
  });
}

function tokenOf(request: LinkRequest): string | null {
  const { link } = request.query;
  return typeof link === "string" && /^pcl_[\w-]{43}$/.test(link) ? link : null;
}

interface Shown {
  readonly status?: number;
  readonly problem?: (texts: Texts) => string;
  readonly said?: (texts: Texts["confirmAddress"]) => HtmlValue;
  /** Of the link that was opened; null: none was. */
  readonly token?: string | null;
}

function show(
  { formTokens, signIn, mail }: PageContext,
  reply: FastifyReply,
  merchant: MerchantAccount,
  { status = 200, problem, said, token = null }: Shown,
): FastifyReply {
  const formToken = formTokens.issue(reply, CONFIRM_ADDRESS_PATH);
  const account = signIn.account(reply, merchant);
  const page = (locale: Locale): Html => {
    const { confirmAddress: texts, connectedApps, passkeys } = locale.texts;
    const email = html`<strong>${named(merchant.email)}</strong>`;
    const form = (action: string, button: string) => html`<form method="post" action="${action}">
<input type="hidden" name="token" value="${formToken}">
<div class="actions"><button class="primary">${button}</button></div>
</form>`;
    const content = merchant.confirmed
      ? notice("done", texts.done)
      : token !== null
        ? html`<p class="lead">${texts.open(email)}</p>${form(`${CONFIRM_ADDRESS_PATH}?link=${token}`, passkeys.proof.confirm)}`
        : mail && html`<p class="lead">${texts.lead(email)}</p>${form(CONFIRM_ADDRESS_PATH, texts.submit)}`;
    return cardPage(
      locale,
      { title: texts.title },
      html`${notice("problem", problem?.(locale.texts))}
${notice("done", !merchant.confirmed && said?.(texts))}
${content}
<p class="aside"><a href="${CONNECTED_APPS_PATH}">${connectedApps.title}</a></p>`,
    );
  };
  return sendMerchantPage(reply, page, { status, account, hasSecretUrl: token !== null });
}

import { html } from "@partner-connect/service-runtime/html";
import type { FastifyReply } from "fastify";
import { RETRY_AFTER_SECONDS } from "../../errors/http-error.ts";
import { cardPage } from "../../pages/layout.ts";
import { named, plainName } from "../../pages/name.ts";
import { sendMerchantPage } from "../../pages/send-merchant-page.ts";

/** Why nobody was signed in, with the status of its page. */
const STATUS = {
  unavailable: 503,
  cancelled: 403,
  ended: 410,
  no_account: 403,
  unverified: 403,
  joined_with_another: 403,
  paused: 403,
} as const;

export type OpenIdProblem = keyof typeof STATUS;

interface OpenIdProblemPage {
  readonly problem: OpenIdProblem;
  /** Of the person who signed in elsewhere. */
  readonly email: string | null;
  readonly provider: string;
  /** Where another attempt begins. */
  readonly again: string;
  /** The page that the attempt led to. It leads to the sign-in. */
  readonly back: string;
}

export function showOpenIdProblem(reply: FastifyReply, page: OpenIdProblemPage): FastifyReply {
  const { problem, email, provider, again, back } = page;
  const status = STATUS[problem];
  if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
  // Who came back as the wrong person is asked for another one.
  const isAnother = status === 403 && problem !== "cancelled";
  return sendMerchantPage(
    reply,
    (locale) => {
      const texts = locale.texts.signIn.openId;
      const name = named(provider);
      return cardPage(
        locale,
        { title: texts.problem[problem].title(plainName(provider)) },
        html`<p class="lead">${texts.problem[problem].lead(name, email === null ? html`` : named(email))}</p>
<div class="actions">
<a class="button primary" href="${again}${isAnother && "&again=1"}"><span>${isAnother ? texts.another(name) : texts.tryAgain}</span></a>
<a class="button" href="${back}">${texts.back}</a>
</div>`,
      );
    },
    { status, hasSecretUrl: true },
  );
}

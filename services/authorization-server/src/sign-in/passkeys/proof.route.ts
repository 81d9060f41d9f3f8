import { findMerchant, type MerchantAccount, passkeysOf } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply } from "fastify";
import { PASSKEY_SCRIPT } from "../../pages/assets.ts";
import { formField } from "../../pages/form-token.ts";
import type { DeviceNews } from "../../pages/merchant-sign-in.ts";
import { CONNECTED_APPS_PATH, PROOF_PATH, SECOND_STEP_PATH, SIGN_IN_PATH } from "../../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../../pages/send-merchant-page.ts";
import { recordSignIn } from "../record-sign-in.ts";
import type { SignInContext } from "../sign-in-context.ts";
import { signatureOptions } from "./passkey-answer.ts";
import { judgeProof, type Proof, proofOf } from "./proof.ts";
import { type ProofView, proofView } from "./proof.view.ts";

interface Asked {
  readonly merchant: MerchantAccount;
  readonly device: DeviceNews | null;
}

type Occasion = ProofView["occasion"];

const STATUS = { right: 200, wrong: 422, out_of_date: 403, throttled: 429 } as const;

/**
 * The page that asks for a passkey: after the password on a new device, and of a merchant who is signed in before
 * something that needs a fresh proof. It leads on to the page in its `return`.
 */
export function proofRoutes(app: FastifyInstance, context: SignInContext): void {
  const { formTokens, returns, session, steps, secondFactor } = context;

  for (const occasion of ["sign_in", "again"] as const) {
    const path = occasion === "sign_in" ? SECOND_STEP_PATH : PROOF_PATH;
    app.get(path, async (_, reply) => {
      const asked = await whoIsAsked(reply, occasion);
      return asked ? await showPage(context, reply, asked.merchant, occasion, null) : await nobodyIsAsked(reply);
    });
    app.post(path, async (request, reply) => {
      const asked = await whoIsAsked(reply, occasion);
      if (!asked) return await nobodyIsAsked(reply);
      const { merchant, device } = asked;
      const isOurForm = formTokens.isValid(request, path);
      const passkeys = await passkeysOf(context.sql, merchant.id);
      if (isOurForm && passkeys.length === 0 && formField(request.body, "again") !== "") {
        await session.end(reply);
        return redirectTo(reply, returns.passedOn(reply, SIGN_IN_PATH));
      }
      const proof: Proof = isOurForm
        ? await judgeProof(context, reply, merchant, passkeys)
        : { outcome: "out_of_date" };
      if (proof.outcome !== "right") {
        if (proof.outcome === "throttled") reply.header("retry-after", proof.waitSeconds);
        noteFacts(request, { outcome: proof.outcome === "throttled" ? "throttled" : "refused" });
        return await showPage(context, reply, merchant, occasion, proof);
      }
      if (device !== null) {
        await steps.end(request);
        noteFacts(request, { outcome: "signed_in" });
        await recordSignIn(context, reply, merchant, device);
      }
      await secondFactor.startProven(reply, merchant);
      return redirectTo(reply, returns.asked(request)?.path ?? CONNECTED_APPS_PATH);
    });
  }

  /** With what the browser of a sign-in was before it. */
  async function whoIsAsked({ request }: FastifyReply, occasion: Occasion): Promise<Asked | null> {
    if (occasion === "again") {
      const merchant = await session.merchant(request);
      return merchant && { merchant, device: null };
    }
    const step = await steps.find(request);
    const merchant = step && (await findMerchant(context.sql, step.merchantId));
    const goesOn = merchant?.status === "active" && merchant.sessionEpoch === step?.accountEpoch;
    return goesOn ? { merchant, device: step.device } : null;
  }

  /** The sign-in took too long, was finished in another tab, or has never begun; or the session has ended. */
  async function nobodyIsAsked(reply: FastifyReply): Promise<FastifyReply> {
    const page = returns.asked(reply.request)?.path ?? CONNECTED_APPS_PATH;
    return redirectTo(reply, (await session.merchant(reply.request)) ? page : returns.passedOn(reply, SIGN_IN_PATH));
  }
}

async function showPage(
  context: SignInContext,
  reply: FastifyReply,
  merchant: MerchantAccount,
  occasion: Occasion,
  problem: Exclude<Proof, { outcome: "right" }> | null,
): Promise<FastifyReply> {
  const { formTokens, returns, challenges, party } = context;
  const path = occasion === "sign_in" ? SECOND_STEP_PATH : PROOF_PATH;
  const passkeys = await passkeysOf(context.sql, merchant.id);
  const page = returns.asked(reply.request)?.path ?? CONNECTED_APPS_PATH;
  const options =
    passkeys.length > 0
      ? await signatureOptions(party, await challenges.issue(reply, proofOf(merchant)), passkeys)
      : null;
  const view: ProofView = {
    occasion,
    email: merchant.email,
    action: returns.passedOn(reply, path),
    token: formTokens.issue(reply, path),
    options,
    back: page,
    maySignInAgain: context.openId(reply, { path: page, app: null }) !== null,
    problem,
  };
  return sendMerchantPage(reply, (locale) => proofView(view, locale), {
    status: problem ? STATUS[problem.outcome] : 200,
    ...(options !== null && { script: PASSKEY_SCRIPT }),
  });
}

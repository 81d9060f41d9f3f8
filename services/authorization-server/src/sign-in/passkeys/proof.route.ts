import { findMerchant, type MerchantAccount, passkeysOf } from "@partner-connect/directory";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyInstance, FastifyReply } from "fastify";
import { PASSKEY_SCRIPT } from "../../pages/assets.ts";
import { formToken, isOurForm } from "../../pages/csrf.ts";
import { formField } from "../../pages/forms.ts";
import { CONNECTED_APPS_PATH, PROOF_PATH, SECOND_STEP_PATH, SIGN_IN_PATH } from "../../pages/paths.ts";
import { askedReturn, passedOn } from "../../pages/return-paths.ts";
import { redirectTo, sendPage } from "../../pages/send-page.ts";
import type { DeviceNews } from "../known-devices.ts";
import { recordSignIn } from "../record-sign-in.ts";
import { endSession, findSignedIn } from "../session.ts";
import { signatureOptions } from "./ceremony.ts";
import { endSecondStep, findSecondStep, judgeProof, type Proof, proofOf } from "./proof.ts";
import { type ProofView, proofView } from "./proof.view.ts";
import { startProvenSession } from "./second-factor.ts";

interface Asked {
  readonly merchant: MerchantAccount;
  readonly device: DeviceNews | null;
}

type Occasion = ProofView["occasion"];

const STATUS = { right: 200, wrong: 422, out_of_date: 403, throttled: 429 } as const;

/**
 * The page that requires a passkey: after the password on a new device, and for signed-in merchants before an
 * action that needs a fresh proof. It redirects to the page in its `return`.
 */
export function proofRoutes(app: FastifyInstance): void {
  const { sql } = app;

  for (const occasion of ["sign_in", "again"] as const) {
    const path = occasion === "sign_in" ? SECOND_STEP_PATH : PROOF_PATH;
    app.get(path, async (_, reply) => {
      const asked = await whoIsAsked(reply, occasion);
      return asked ? await showPage(reply, asked.merchant, occasion, null) : await nobodyIsAsked(reply);
    });
    app.post(path, async (request, reply) => {
      const asked = await whoIsAsked(reply, occasion);
      if (!asked) return await nobodyIsAsked(reply);
      const { merchant, device } = asked;
      const isOurs = isOurForm(request, path);
      const passkeys = await passkeysOf(sql, merchant.id);
      if (isOurs && passkeys.length === 0 && formField(request.body, "again") !== "") {
        await endSession(reply);
        return redirectTo(reply, passedOn(reply, SIGN_IN_PATH));
      }
      const proof: Proof = isOurs ? await judgeProof(reply, merchant, passkeys) : { outcome: "out_of_date" };
      if (proof.outcome !== "right") {
        if (proof.outcome === "throttled") reply.header("retry-after", proof.waitSeconds);
        noteFacts(request, { outcome: proof.outcome === "throttled" ? "throttled" : "refused" });
        return await showPage(reply, merchant, occasion, proof);
      }
      if (device !== null) {
        await endSecondStep(request);
        noteFacts(request, { outcome: "signed_in" });
        await recordSignIn(reply, merchant, device);
      }
      await startProvenSession(reply, merchant);
      return redirectTo(reply, askedReturn(request)?.path ?? CONNECTED_APPS_PATH);
    });
  }

  /** The merchant who must prove their identity, and for a sign-in how the device was known before it. */
  async function whoIsAsked({ request }: FastifyReply, occasion: Occasion): Promise<Asked | null> {
    if (occasion === "again") {
      const merchant = await findSignedIn(request);
      return merchant && { merchant, device: null };
    }
    const step = await findSecondStep(request);
    const merchant = step && (await findMerchant(sql, step.merchantId));
    const goesOn = merchant?.status === "active" && merchant.sessionEpoch === step?.accountEpoch;
    return goesOn ? { merchant, device: step.device } : null;
  }

  /** The sign-in took too long, was finished in another tab, or has never begun; or the session has ended. */
  async function nobodyIsAsked(reply: FastifyReply): Promise<FastifyReply> {
    const page = askedReturn(reply.request)?.path ?? CONNECTED_APPS_PATH;
    return redirectTo(reply, (await findSignedIn(reply.request)) ? page : passedOn(reply, SIGN_IN_PATH));
  }
}

async function showPage(
  reply: FastifyReply,
  merchant: MerchantAccount,
  occasion: Occasion,
  problem: Exclude<Proof, { outcome: "right" }> | null,
): Promise<FastifyReply> {
  const path = occasion === "sign_in" ? SECOND_STEP_PATH : PROOF_PATH;
  const passkeys = await passkeysOf(reply.server.sql, merchant.id);
  const page = askedReturn(reply.request)?.path ?? CONNECTED_APPS_PATH;
  const options = passkeys.length > 0 ? await signatureOptions(reply, proofOf(merchant), passkeys) : null;
  const view: ProofView = {
    occasion,
    email: merchant.email,
    action: passedOn(reply, path),
    token: formToken(reply, path),
    options,
    back: page,
    maySignInAgain: reply.server.config.openId !== null,
    problem,
  };
  return sendPage(reply, (locale) => proofView(view, locale), {
    status: problem ? STATUS[problem.outcome] : 200,
    ...(options !== null && { script: PASSKEY_SCRIPT }),
  });
}

import {
  addPasskey,
  DirectoryError,
  MAX_PASSKEYS,
  type MerchantAccount,
  passkeysOf,
  removePasskey,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PASSKEY_SCRIPT } from "../../pages/assets.ts";
import { formToken, isOurForm, merchantActor } from "../../pages/csrf.ts";
import { formField } from "../../pages/forms.ts";
import { PASSKEYS_PATH } from "../../pages/paths.ts";
import { signInFirst } from "../../pages/return-paths.ts";
import { redirectTo, sendPage } from "../../pages/send-page.ts";
import { findSignedIn, signedIn } from "../session.ts";
import { madePasskey, newPasskeyOptions, readAnswer, relyingParty, useChallenge } from "./ceremony.ts";
import { isDone, type PasskeyProblem, type PasskeysView, passkeysView } from "./passkeys.view.ts";
import { isProven, proofPath, startProvenSession } from "./second-factor.ts";

/** The outcome of a posted change. */
type Changed = { readonly done: PasskeysView["done"] } | { readonly problem: PasskeyProblem; readonly status: number };

const OUT_OF_DATE = { problem: "out_of_date", status: 403 } as const;

/** The page of an account's passkeys. Each change needs a proof of the last ten minutes, and so does the form that adds one. */
export function passkeysRoutes(app: FastifyInstance): void {
  const { sql } = app;

  app.get(PASSKEYS_PATH, { preHandler: signedIn }, async (request, reply) => {
    const done = formField(request.query, "done");
    return await showPage(reply, request.merchant, { done: isDone(done) ? done : null });
  });

  // Where the auth hostname is no subdomain of the passkeys' domain, browsers ask here whether it may use them (WebAuthn, §5.11).
  app.get("/.well-known/webauthn", async () => ({ origins: relyingParty(app.config).origins }));

  for (const [path, change] of [
    ["", add],
    ["/remove", remove],
  ] as const) {
    app.post(PASSKEYS_PATH + path, async (request, reply) => {
      const merchant = await findSignedIn(request);
      if (!merchant) return signInFirst(reply, PASSKEYS_PATH);
      if (!(await isProven(request, merchant))) return redirectTo(reply, proofPath(reply, PASSKEYS_PATH));
      const changed = isOurForm(request, PASSKEYS_PATH) ? await change(request, reply, merchant) : OUT_OF_DATE;
      if ("problem" in changed) return await showPage(reply, merchant, changed);
      return redirectTo(reply, `${PASSKEYS_PATH}?done=${changed.done}`);
    });
  }

  async function add(request: FastifyRequest, reply: FastifyReply, merchant: MerchantAccount): Promise<Changed> {
    const text = formField(request.body, "credential");
    const answer = readAnswer(text);
    if (!answer || !(await useChallenge(request, additionTo(merchant), answer.challenge))) return OUT_OF_DATE;
    const made = await madePasskey(request, answer.challenge, text);
    if (made === null) return { problem: "not_made", status: 422 };
    const passkey = { ...made, name: formField(request.body, "name") };
    const added = await addPasskey(sql, merchant, passkey, merchantActor(request, merchant)).catch((error: unknown) => {
      if (error instanceof DirectoryError && error.code === "INVALID_NAME") return null;
      throw error;
    });
    if (added === null) return { problem: "name", status: 422 };
    if (added.outcome === "ended") return { problem: "changed", status: 409 };
    await startProvenSession(reply, added.merchant);
    return { done: "added" };
  }

  async function remove(request: FastifyRequest, reply: FastifyReply, merchant: MerchantAccount): Promise<Changed> {
    const id = formField(request.body, "passkey");
    const removed = await removePasskey(sql, merchant, id, merchantActor(request, merchant));
    if (removed.outcome === "ended") return { problem: "changed", status: 409 };
    await startProvenSession(reply, removed.merchant);
    return { done: "removed" };
  }
}

/** The purpose of a challenge that a new passkey signs. */
function additionTo({ id }: MerchantAccount): string {
  return `passkey for ${id}`;
}

async function showPage(
  reply: FastifyReply,
  former: MerchantAccount,
  said: { readonly done?: PasskeysView["done"]; readonly problem?: PasskeyProblem; readonly status?: number },
): Promise<FastifyReply> {
  const { request } = reply;
  // The cause of the refusal may have ended the session too.
  const merchant = said.problem === undefined ? former : await findSignedIn(request);
  if (!merchant) return signInFirst(reply, PASSKEYS_PATH);
  const passkeys = await passkeysOf(reply.server.sql, merchant.id);
  const isProved = await isProven(request, merchant);
  const options =
    isProved && passkeys.length < MAX_PASSKEYS
      ? await newPasskeyOptions(reply, additionTo(merchant), merchant, passkeys)
      : null;
  const view: PasskeysView = {
    passkeys,
    token: formToken(reply, PASSKEYS_PATH),
    proofPath: isProved ? null : proofPath(reply, PASSKEYS_PATH),
    options,
    done: said.done ?? null,
    problem: said.problem ?? null,
  };
  return sendPage(reply, (locale) => passkeysView(view, locale), {
    status: said.status ?? 200,
    account: merchant,
    ...(options !== null && { script: PASSKEY_SCRIPT }),
  });
}

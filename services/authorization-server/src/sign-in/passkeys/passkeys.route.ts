import {
  addPasskey,
  DirectoryError,
  MAX_PASSKEYS,
  type MerchantAccount,
  passkeysOf,
  removePasskey,
  renamePasskey,
} from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PASSKEY_SCRIPT } from "../../pages/assets.ts";
import { formField } from "../../pages/form-token.ts";
import { merchantActor, type PageContext } from "../../pages/page-context.ts";
import { PASSKEYS_PATH } from "../../pages/paths.ts";
import { redirectTo, sendMerchantPage } from "../../pages/send-merchant-page.ts";
import { signInFirst } from "../../pages/sign-in-first.ts";
import type { Challenges } from "./challenges.ts";
import { madePasskey, newPasskeyOptions, readAnswer } from "./passkey-answer.ts";
import { isDone, type PasskeyProblem, type PasskeysView, passkeysView } from "./passkeys.view.ts";
import type { RelyingParty } from "./relying-party.ts";

interface PasskeysContext extends PageContext {
  readonly challenges: Challenges;
  readonly party: RelyingParty;
}

/** What becomes of a posted change. */
type Changed = { readonly done: PasskeysView["done"] } | { readonly problem: PasskeyProblem; readonly status: number };

const OUT_OF_DATE = { problem: "out_of_date", status: 403 } as const;

/** The page of an account's passkeys. Each change needs a proof of the last ten minutes, and so does the form that adds one. */
export function passkeysRoutes(app: FastifyInstance, context: PasskeysContext): void {
  const { sql, formTokens, signIn, challenges, party } = context;

  app.get<{ Querystring: { done?: unknown } }>(PASSKEYS_PATH, async (request, reply) => {
    const merchant = await signIn.merchant(request);
    if (!merchant) return signInFirst(context, reply);
    const { done } = request.query;
    return await showPage(context, reply, merchant, { done: isDone(done) ? done : null });
  });

  // Where the auth hostname is no subdomain of the passkeys' domain, browsers ask here whether it may use them (WebAuthn, §5.11).
  app.get("/.well-known/webauthn", async () => ({ origins: party.origins }));

  app.post(PASSKEYS_PATH, change(add));
  app.post(`${PASSKEYS_PATH}/rename`, change(rename));
  app.post(`${PASSKEYS_PATH}/remove`, change(remove));

  /** A change by a merchant who is signed in, has the form from us, and has proved who she is. */
  function change(work: (request: FastifyRequest, reply: FastifyReply, merchant: MerchantAccount) => Promise<Changed>) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const merchant = await signIn.merchant(request);
      if (!merchant) return signInFirst(context, reply, PASSKEYS_PATH);
      if (!(await signIn.isProven(request, merchant))) return redirectTo(reply, signIn.proofPath(reply, PASSKEYS_PATH));
      const isOurForm = formTokens.isValid(request, PASSKEYS_PATH);
      const changed = isOurForm ? await work(request, reply, merchant) : OUT_OF_DATE;
      if ("problem" in changed) return await showPage(context, reply, merchant, changed);
      return redirectTo(reply, `${PASSKEYS_PATH}?done=${changed.done}`);
    };
  }

  async function add(request: FastifyRequest, reply: FastifyReply, merchant: MerchantAccount): Promise<Changed> {
    const text = formField(request.body, "credential");
    const answer = readAnswer(text);
    if (!answer || !(await challenges.use(request, additionTo(merchant), answer.challenge))) return OUT_OF_DATE;
    const made = await madePasskey(party, answer.challenge, text, request.log);
    if (made === null) return { problem: "not_made", status: 422 };
    const passkey = { ...made, name: formField(request.body, "name") };
    const added = await unlessName(addPasskey(sql, merchant, passkey, merchantActor(request, merchant)));
    if (added === null) return { problem: "name", status: 422 };
    if (added.outcome === "ended") return { problem: "changed", status: 409 };
    await signIn.startProven(reply, added.merchant);
    return { done: "added" };
  }

  async function remove(request: FastifyRequest, reply: FastifyReply, merchant: MerchantAccount): Promise<Changed> {
    const id = formField(request.body, "passkey");
    const removed = await removePasskey(sql, merchant, id, merchantActor(request, merchant));
    if (removed.outcome === "ended") return { problem: "changed", status: 409 };
    await signIn.startProven(reply, removed.merchant);
    return { done: "removed" };
  }

  async function rename(request: FastifyRequest, _: FastifyReply, merchant: MerchantAccount): Promise<Changed> {
    const { body } = request;
    const wanted = { id: formField(body, "passkey"), name: formField(body, "name") };
    const renamed = await unlessName(renamePasskey(sql, merchant, wanted, merchantActor(request, merchant)));
    if (renamed === null) return { problem: "name", status: 422 };
    return renamed.outcome === "ended" ? { problem: "changed", status: 409 } : { done: "renamed" };
  }
}

/** What the change became, or null if nobody could read the name. */
async function unlessName<T>(change: Promise<T>): Promise<T | null> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof DirectoryError && error.code === "INVALID_NAME") return null;
    throw error;
  }
}

/** The purpose of a challenge that a new passkey signs. */
function additionTo({ id }: MerchantAccount): string {
  return `passkey for ${id}`;
}

async function showPage(
  context: PasskeysContext,
  reply: FastifyReply,
  former: MerchantAccount,
  said: { readonly done?: PasskeysView["done"]; readonly problem?: PasskeyProblem; readonly status?: number },
): Promise<FastifyReply> {
  const { sql, formTokens, signIn, challenges, party } = context;
  const { request } = reply;
  // What refused a change may have ended the session too.
  const merchant = said.problem === undefined ? former : await signIn.merchant(request);
  if (!merchant) return signInFirst(context, reply, PASSKEYS_PATH);
  const passkeys = await passkeysOf(sql, merchant.id);
  const isProven = await signIn.isProven(request, merchant);
  const options =
    isProven && passkeys.length < MAX_PASSKEYS
      ? await newPasskeyOptions(party, await challenges.issue(reply, additionTo(merchant)), merchant, passkeys)
      : null;
  const view: PasskeysView = {
    passkeys,
    token: formTokens.issue(reply, PASSKEYS_PATH),
    proofPath: isProven ? null : signIn.proofPath(reply, PASSKEYS_PATH),
    options,
    done: said.done ?? null,
    problem: said.problem ?? null,
  };
  return sendMerchantPage(reply, (locale) => passkeysView(view, locale), {
    status: said.status ?? 200,
    account: signIn.account(reply, merchant),
    ...(options !== null && { script: PASSKEY_SCRIPT }),
  });
}

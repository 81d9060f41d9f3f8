import type { FastifyReply } from "fastify";
import type { PageContext } from "./page-context.ts";
import { pagePath } from "./page-frame.ts";
import { CONNECTED_APPS_PATH, SIGN_IN_PATH } from "./paths.ts";
import { redirectTo } from "./send-merchant-page.ts";

/**
 * Where nobody is signed in: the sign-in, which leads back to `page`. By default that is the page of this request; of a posted form it is
 * the page at the form's address.
 */
export function signInFirst(
  { returns }: Pick<PageContext, "returns">,
  reply: FastifyReply,
  page: string | null = pagePath(reply),
): FastifyReply {
  const isDefault = page === null || page === CONNECTED_APPS_PATH;
  return redirectTo(
    reply,
    isDefault ? SIGN_IN_PATH : returns.leadingTo(reply, SIGN_IN_PATH, { path: page, app: null }),
  );
}

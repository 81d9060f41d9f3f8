import type { FastifyReply, FastifyRequest } from "fastify";
import { formField } from "./form-token.ts";
import { merchantCookie } from "./merchant-cookie.ts";
import { ownPath } from "./own-path.ts";
import type { SealedForBrowser } from "./sealed-for-browser.ts";

/** Where a detour, such as a sign-in, leads back to. */
export interface ReturnPath {
  readonly path: string;
  /** The name of the app whose authorization is there; null for any other page. */
  readonly app: string | null;
  /** The languages that the app asks for. */
  readonly uiLocales?: string | undefined;
}

export type ReturnPaths = ReturnType<typeof returnPaths>;

const PURPOSE = "return path";

/** Browsers keep no cookie that is longer than 4,096 bytes with its name and attributes. */
const MAX_COOKIE = 3800;

/**
 * The way back from detours, sealed. In the URL of a detour's pages it is the query parameter `return`. A detour whose link comes from a
 * mail or an operator knows it by a cookie.
 */
export function returnPaths(publicBaseUrl: string, sealed: SealedForBrowser) {
  const cookie = merchantCookie(publicBaseUrl, "merchant_return", { form: /^[\w-]+$/ });

  const open = (request: FastifyRequest, text: string | null): ReturnPath | null => {
    const [path = "", app, uiLocales] = sealed.open(request, PURPOSE, text)?.split("\n") ?? [];
    const own = ownPath(path);
    return own === null ? null : { path: own, app: app || null, uiLocales };
  };
  const close = (reply: FastifyReply, { path, app, uiLocales }: ReturnPath) =>
    sealed.seal(reply, PURPOSE, [path, app ?? "", uiLocales ?? ""].join("\n"));

  /** Where the request's `return` leads, or null. */
  const asked = (request: FastifyRequest) => open(request, formField(request.query, "return"));
  /** Where this browser was, within the last hour, before a detour that a link begins. */
  const remembered = (request: FastifyRequest) => open(request, cookie.read(request));
  return {
    asked,
    remembered,
    /** `detour`, leading back to `page`. */
    leadingTo: (reply: FastifyReply, detour: string, page: ReturnPath): string =>
      withReturn(detour, close(reply, page)),
    /** `detour`, leading back to where the detour of this request does. */
    passedOn: ({ request }: FastifyReply, detour: string): string =>
      asked(request) === null ? detour : withReturn(detour, formField(request.query, "return")),
    /** A path that is too long for a cookie is not remembered. */
    remember(reply: FastifyReply, page: ReturnPath): void {
      if (remembered(reply.request)?.path === page.path) return;
      const text = close(reply, page);
      if (text.length <= MAX_COOKIE) cookie.set(reply, text);
    },
    /** Once what was to be done at `path` is done. */
    forget(reply: FastifyReply, path: string): void {
      if (remembered(reply.request)?.path === path) cookie.clear(reply);
    },
  };
}

function withReturn(path: string, sealed: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}return=${sealed}`;
}

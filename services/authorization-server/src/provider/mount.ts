import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { redirectLocation } from "../authorization-response/redirect-location.ts";

/** Runs the library for a request of one of its routes and answers through Fastify, with Fastify's headers. */
export type RunProvider = (request: FastifyRequest, reply: FastifyReply, path: string) => Promise<FastifyReply>;

/** The library's session of this browser has ended, or never was: a page went back to, or was bookmarked. */
export class InteractionEndedError extends Error {}

interface Answer {
  context?: KoaContextWithOIDC;
  /** What goes to the client with the redirect. */
  out?: Record<string, string>;
  fault?: Error;
}

/**
 * Mounts the library without letting it write: it decides, and this answers. Redirects are 302; one to a client begins
 * with the redirect URI's own bytes, one to ourselves is relative, so that a flow stays on the host where it began.
 */
export function mountProvider(provider: Provider): RunProvider {
  const answers = new WeakMap<IncomingMessage, Answer>();
  const { host, protocol } = new URL(provider.issuer);
  const answerOf = (context: KoaContextWithOIDC) => answers.get(context.req) as Answer;

  provider.use(async (context, next) => {
    answerOf(context as KoaContextWithOIDC).context = context as KoaContextWithOIDC;
    context.respond = false;
    await next();
  });
  provider.on("authorization.success", (context, out) => {
    answerOf(context).out = out as Record<string, string>;
    // The merchant's sign-in is our session's matter; the library keeps none.
    Object.assign(context.oidc.session ?? {}, { destroyed: true });
  });
  provider.on("authorization.error", (context, error) => {
    const answer = answerOf(context);
    if (error.name === "SessionNotFound") answer.fault = new InteractionEndedError(error.message);
    else answer.out = errorParameters(error, context);
  });
  provider.on("server_error", (context, error) => {
    answerOf(context).fault = error;
  });
  const callback = provider.callback();

  return async (request, reply, path) => {
    const { raw } = request;
    const answer: Answer = {};
    answers.set(raw, answer);
    raw.url = path;
    raw.headers.host = host;
    raw.headers["x-forwarded-host"] = host;
    raw.headers["x-forwarded-proto"] = protocol.slice(0, -1);
    await callback(raw, reply.raw);

    const location = answer.context?.response.get("location");
    for (const header of reply.raw.getHeaderNames()) if (header !== "set-cookie") reply.raw.removeHeader(header);
    if (answer.fault) throw answer.fault;
    reply.header("cache-control", "no-store");
    const redirectUri = answer.context?.oidc.params?.["redirect_uri"];
    if (answer.out && typeof redirectUri === "string") {
      return reply.redirect(redirectLocation(redirectUri, answer.out), 302);
    }
    if (!location) throw new Error(`the library answered ${answer.context?.status} without a redirect`);
    return reply.redirect(relative(location, provider.issuer), 302);
  };
}

/** Spec, Outcomes: the merchant declined, or something in the request, which is always called invalid_request. */
function errorParameters(error: Error & { error?: string }, context: KoaContextWithOIDC): Record<string, string> {
  const declined = error.error === "access_denied";
  return {
    error: declined ? "access_denied" : "invalid_request",
    ...(declined && { error_description: "the merchant declined" }),
    state: String(context.oidc.params?.["state"]),
    iss: context.oidc.issuer,
  };
}

function relative(location: string, issuer: string): string {
  const { pathname, search } = new URL(location, issuer);
  return pathname + search;
}

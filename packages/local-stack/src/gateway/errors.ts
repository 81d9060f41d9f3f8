import { readFileSync } from "node:fs";
import { noteFacts } from "@partner-connect/service-runtime";
import type { FastifyReply, FastifyRequest } from "fastify";

export function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteFacts(request, { reason: "not_served" });
  return reply.code(404).send({ error: "not_found" });
}

export function unavailable(reply: FastifyReply): FastifyReply {
  const { request } = reply;
  noteFacts(request, { reason: "no_replica" });
  reply.code(503).header("retry-after", "1");
  return isPerson(request) ? sendPage(request, reply) : reply.send({ error: "unavailable" });
}

/** The page that production's gateway shows, too, while no server answers. `pnpm gateway-page` makes it, as a snippet for Caddy. */
const SNIPPET = readFileSync(new URL("../../../../deploy/gateway/page.caddyfile", import.meta.url), "utf8")
  // Caddy's variables, each with the value that it has where it is not set.
  .replace(/\{\$\w+:([^}]*)\}/g, "$1");

const PAGES = new Map(
  [...SNIPPET.matchAll(/^\trespond @(\w+) `([^`]*)` 503$/gm)].map(([, language = "", page = ""]) => [language, page]),
);
const HEADERS = Object.fromEntries(
  [...SNIPPET.matchAll(/^\theader (\S+) "(.*)"$/gm)].map(([, name = "", value = ""]) => [name, value]),
);
const LANGUAGE = new RegExp(/^\t\t~(.*) \$\{1\}$/m.exec(SNIPPET)?.[1] ?? "");
const COOKIE = /(?:^|;) *(?:__Host-)?merchant_language=([^;]*)/;

/** Whether a person's browser asks for a page, as the Caddyfile has it. */
function isPerson({ headers, raw }: FastifyRequest): boolean {
  const path = raw.url?.split("?", 1)[0] ?? "";
  return (
    (headers.accept ?? "").includes("text/html") &&
    /^\/(?:(?:oauth|docs|partner)\/.*|docs|partner)?$/.test(path) &&
    !path.startsWith("/oauth/api/token") &&
    path !== "/oauth/api/jwks"
  );
}

function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { cookie = "", "accept-language": asked = "" } = request.headers;
  const language = LANGUAGE.exec(`${COOKIE.exec(cookie)?.[1] ?? ""},${asked}`)?.[1] ?? "en";
  const page = PAGES.get(language)?.replace("{http.request.uuid}", request.id);
  return reply.headers({ ...HEADERS, "content-language": language }).send(page);
}

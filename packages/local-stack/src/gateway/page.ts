import { readFileSync } from "node:fs";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The page that production's gateway shows, too, while no server answers. `pnpm gateway-page` makes it, as a snippet for Caddy. */
const SNIPPET = readFileSync(new URL("../../../../deploy/gateway/page.caddyfile", import.meta.url), "utf8");

const PAGES = new Map(
  [...SNIPPET.matchAll(/^\trespond @(\w+) `([^`]*)` 503$/gm)].map(([, language = "", page = ""]) => [language, page]),
);
const HEADERS = Object.fromEntries(
  [...SNIPPET.matchAll(/^\theader (\S+) "(.*)"$/gm)].map(([, name = "", value = ""]) => [name, value]),
);
const LANGUAGE = new RegExp(/^\t\t~(.*) \$\{1\}$/m.exec(SNIPPET)?.[1] ?? "");
const COOKIE = /(?:^|;) *(?:__Host-)?merchant_language=([^;]*)/;

/** Whether a person's browser asks for a page, as the Caddyfile has it. */
export function isPerson({ headers, raw }: FastifyRequest): boolean {
  const path = raw.url?.split("?", 1)[0] ?? "";
  return (
    (headers.accept ?? "").includes("text/html") &&
    /^\/(?:(?:oauth|docs)\/.*|docs)?$/.test(path) &&
    path !== "/oauth/api/token" &&
    path !== "/oauth/api/jwks"
  );
}

export function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { cookie = "", "accept-language": asked = "" } = request.headers;
  const language = LANGUAGE.exec(`${COOKIE.exec(cookie)?.[1] ?? ""},${asked}`)?.[1] ?? "en";
  const page = PAGES.get(language)?.replace("{http.request.uuid}", request.id);
  return reply.headers({ ...HEADERS, "content-language": language }).send(page);
}

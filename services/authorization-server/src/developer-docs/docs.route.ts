import { type DocsFile, docsSite } from "@partner-connect/developer-docs";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import Negotiator from "negotiator";
import type { Product } from "../pages/assets.ts";

export interface DocsRouteOptions {
  readonly issuer: string;
  readonly supportUrl: string | null;
  readonly product: Product;
}

export const docsRoute: FastifyPluginAsync<DocsRouteOptions> = async (
  app,
  { issuer, supportUrl, product },
) => {
  const iconPath = app.pageAssets.icon.path;
  const docs = docsSite({ baseUrl: issuer, supportUrl, product: { ...product, iconPath } });
  /**
   * Makes browsers run only the site's own scripts (inline scripts by their hashes), and load only
   * from this origin.
   */
  const headers: Readonly<Record<string, string>> = {
    "content-security-policy": [
      "default-src 'none'",
      ["script-src 'self'", ...docs.scriptHashes].join(" "),
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join("; "),
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };

  // The paths that llmstxt.org defines redirect to the docs.
  for (const name of ["llms.txt", "llms-full.txt"]) {
    app.get(`/${name}`, (_request, reply) => reply.redirect(`/docs/${name}`, 308));
  }
  for (const path of ["/docs", "/docs/*"]) {
    app.get(path, (request, reply) => {
      const [asked = ""] = request.url.split("?", 1);
      const wantsMarkdown =
        new Negotiator(request).mediaType(["text/html", "text/markdown"]) === "text/markdown";
      const file = (wantsMarkdown && docs.findMarkdown(asked)) || docs.find(asked);
      const meant = asked.replace(/\/+$/, "");
      if (meant !== asked && docs.find(meant)) return reply.redirect(meant, 308);
      if (file) return sendFile(reply.headers(headers), file);
      if (docs.notFound)
        return sendFile(reply.headers(headers).code(404), {
          ...docs.notFound,
          cacheControl: "no-store",
        });
      return reply
        .code(404)
        .type("text/plain")
        .send("This server runs from sources, and its documentation was not built.\n");
    });
  }
};

function sendFile(reply: FastifyReply, file: DocsFile): FastifyReply {
  const { request } = reply;
  const compressed =
    new Negotiator(request).encodings(["gzip", "identity"])[0] === "gzip" ? file.gzip : null;
  const { bytes, etag } = compressed ?? file.body;
  reply.headers({ "cache-control": file.cacheControl, vary: "accept, accept-encoding", etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  if (compressed) reply.header("content-encoding", "gzip");
  return reply.type(file.type).send(bytes);
}

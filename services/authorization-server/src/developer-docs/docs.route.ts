import { type DocsFile, developerDocs } from "@partner-connect/developer-docs";
import { BASE_URL, servedDocument } from "@partner-connect/public-api";
import type { DescribedDocument } from "@partner-connect/public-api/document";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import Negotiator from "negotiator";

export interface DocsRouteOptions {
  readonly issuer: string;
  readonly supportUrl: string | null;
}

/** Browsers load our stylesheet, icon and script, and nothing else. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export const docsRoute: FastifyPluginAsync<DocsRouteOptions> = async (app, { issuer, supportUrl }) => {
  const document = () => JSON.parse(servedDocument({ baseUrl: BASE_URL, apiUrl: BASE_URL })) as DescribedDocument;
  const docs = developerDocs({ baseUrl: issuer, supportUrl, document });

  app.get<{ Querystring: { q?: unknown } }>("/docs/search", async (request, reply) =>
    sendFile(reply, await docs.search(request.query.q)),
  );
  // Where llmstxt.org says that they are.
  for (const name of ["llms.txt", "llms-full.txt"]) {
    app.get(`/${name}`, (_request, reply) => reply.redirect(`/docs/${name}`, 308));
  }
  for (const path of ["/docs", "/docs/*"]) {
    app.get(path, (request, reply) => {
      const [asked = ""] = request.url.split("?", 1);
      const wantsMarkdown = new Negotiator(request).mediaType(["text/html", "text/markdown"]) === "text/markdown";
      const file = (wantsMarkdown && docs.findMarkdown(asked)) || docs.find(asked);
      const meant = asked.replace(/\/+$/, "");
      if (meant !== asked && docs.find(meant)) return reply.redirect(meant, 308);
      return sendFile(reply, file ?? docs.notFound);
    });
  }
};

function sendFile(reply: FastifyReply, file: DocsFile): FastifyReply {
  const { request } = reply;
  const compressed = new Negotiator(request).encodings(["gzip", "identity"])[0] === "gzip" ? file.gzip : null;
  const { bytes, etag } = compressed ?? file.body;
  reply.headers({ ...HEADERS, "cache-control": file.cacheControl, vary: "accept, accept-encoding", etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  reply.code(file.status ?? 200);
  if (compressed) reply.header("content-encoding", "gzip");
  return reply.type(file.type).send(bytes);
}

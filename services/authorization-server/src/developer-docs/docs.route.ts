import { type DocsFile, developerDocs } from "@partner-connect/developer-docs";
import { servedDocument, TOOL_FILES } from "@partner-connect/public-api";
import type { DescribedDocument } from "@partner-connect/public-api/document";
import type { FastifyPluginAsync, FastifyReply } from "fastify";
import Negotiator from "negotiator";

export interface DocsRouteOptions {
  readonly issuer: string;
}

/** Browsers load our stylesheet and icon and nothing else, and run nothing. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

export const docsRoute: FastifyPluginAsync<DocsRouteOptions> = async (app, { issuer }) => {
  const document = () => JSON.parse(servedDocument({ baseUrl: issuer, apiUrl: issuer })) as DescribedDocument;
  const docs = developerDocs({ baseUrl: issuer, document, toolFiles: TOOL_FILES });

  for (const path of ["/docs", "/docs/*"]) {
    app.get(path, (request, reply) => {
      const [asked = ""] = request.url.split("?", 1);
      const file = docs.find(asked);
      const meant = asked.replace(/\/+$/, "");
      if (meant !== asked && docs.find(meant)) return reply.redirect(meant, 308);
      return file ? sendFile(reply, file) : sendFile(reply.code(404), docs.notFound);
    });
  }
};

function sendFile(reply: FastifyReply, file: DocsFile): FastifyReply {
  const { request } = reply;
  const compressed = new Negotiator(request).encodings(["gzip", "identity"])[0] === "gzip";
  const { bytes, etag } = compressed ? file.gzip : file.body;
  reply.headers({ ...HEADERS, "cache-control": file.cacheControl, vary: "accept-encoding", etag });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  if (compressed) reply.header("content-encoding", "gzip");
  return reply.type(file.type).send(bytes);
}

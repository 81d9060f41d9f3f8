import type { FastifyInstance } from "fastify";
import Negotiator from "negotiator";
import { ASSETS_PATH, findAsset } from "./assets.ts";
import { notFoundPage } from "./error-page.ts";

export function assetsRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>(`${ASSETS_PATH}:file`, async (request, reply) => {
    const found = findAsset(app.pageSettings.assets, request.params.file);
    if (!found) return notFoundPage(reply);
    const { asset, exact } = found;
    const lifetime = exact ? "max-age=31536000, immutable" : "max-age=60";
    const accepted = new Negotiator(request).encodings(Object.keys(asset.compressed));
    // Browsers name all without a preference. The first is the smallest.
    const [encoding, content] = Object.entries(asset.compressed).find(([name]) => accepted.includes(name)) ?? [];
    if (encoding) reply.header("content-encoding", encoding);
    return reply
      .headers({
        "content-type": asset.type,
        "cache-control": `public, ${lifetime}`,
        vary: "accept-encoding",
        // A drawing that is opened by itself runs nothing.
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      .send(content ?? asset.content);
  });
}

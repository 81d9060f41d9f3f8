import type { FastifyInstance } from "fastify";
import { notFoundPage } from "../errors/error-page.ts";
import { ASSETS_PATH, findAsset } from "./assets.ts";

export function assetsRoutes(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>(`${ASSETS_PATH}:file`, async (request, reply) => {
    const found = findAsset(request.params.file);
    if (!found) return notFoundPage(reply);
    const lifetime = found.exact ? "max-age=31536000, immutable" : "max-age=60";
    return reply
      .headers({ "content-type": found.asset.type, "cache-control": `public, ${lifetime}` })
      .send(found.asset.content);
  });
}

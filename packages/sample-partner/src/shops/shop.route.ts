import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { readChannels } from "../channels/channel-counts.ts";
import { chartView } from "../channels/chart.view.ts";
import { notFound } from "../http/errors.ts";
import { formToken, takeDone } from "../http/sessions.ts";
import { html } from "../page/html.ts";
import { notice, sendPage } from "../page/layout.ts";
import { readPosition, readResponses } from "../responses/read-responses.ts";
import { responsesView } from "../responses/responses.view.ts";
import type { Sample } from "../sample.ts";
import { createdSources } from "../sources/created-sources.ts";
import { type RefusedSource, sourcesView } from "../sources/sources.view.ts";
import { statusView } from "../sync/status.view.ts";
import { disconnectLink, shopHead, troubleView } from "./shop.view.ts";

type ShopRequest = FastifyRequest<{ Params: { id: string } }>;

export function shopRoute(app: FastifyInstance, sample: Sample): void {
  app.get<{ Params: { id: string } }>("/shops/:id", async (request, reply) => sendShop(request, reply, sample));
}

export function sendShop(
  request: ShopRequest,
  reply: FastifyReply,
  { shops, database, syncs }: Sample,
  { refused }: { readonly refused?: RefusedSource } = {},
): FastifyReply {
  const { id } = request.params;
  const shop = shops.find(id);
  if (!shop) return notFound(reply);
  const token = formToken(reply);
  const done = takeDone(request);
  const main = html`${done !== null && notice("done", done)}${troubleView(shop, token)}
${shopHead(shop)}
${chartView(readChannels(database, id))}
${statusView(shop, syncs.isRunning(id), token)}
${responsesView(readResponses(database, id, readPosition(request.query as Record<string, unknown>)))}
${sourcesView(shop, createdSources(database, id), token, refused)}
${disconnectLink(shop)}`;
  return sendPage(reply, { title: shop.name, main, status: refused ? 400 : 200 });
}

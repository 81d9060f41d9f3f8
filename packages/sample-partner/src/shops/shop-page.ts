import type { FastifyReply, FastifyRequest } from "fastify";
import { chartView } from "../channels/chart.view.ts";
import { notFound } from "../http/errors.ts";
import { formToken, takeDone } from "../http/sessions.ts";
import { html } from "../page/html.ts";
import { notice, sendPage } from "../page/layout.ts";
import { readPosition } from "../responses/response-position.ts";
import { responsesView } from "../responses/responses.view.ts";
import type { Sample } from "../sample.ts";
import { type RefusedSource, sourcesView } from "../sources/sources.view.ts";
import { statusView } from "../sync/status.view.ts";
import { disconnectLink, shopHead } from "./shop.view.ts";
import { troubleView } from "./trouble.view.ts";

type ShopRequest = FastifyRequest<{ Params: { id: string } }>;

/** A shop's page; 404 where we know no such shop. */
export function sendShop(
  request: ShopRequest,
  reply: FastifyReply,
  { shops, responses, channels, sources, syncs }: Sample,
  { refused }: { readonly refused?: RefusedSource } = {},
): FastifyReply {
  const { id } = request.params;
  const shop = shops.find(id);
  if (!shop) return notFound(reply);
  const token = formToken(reply);
  const done = takeDone(request);
  const main = html`${done !== null && notice("done", done)}${troubleView(shop, token)}
${shopHead(shop)}
${chartView(channels.read(id))}
${statusView(shop, syncs.isRunning(id), token)}
${responsesView(responses.page(id, readPosition(request.query as Record<string, unknown>)))}
${sourcesView(shop, sources.list(id), token, refused)}
${disconnectLink(shop)}`;
  return sendPage(reply, { title: shop.name, main, status: refused ? 400 : 200 });
}

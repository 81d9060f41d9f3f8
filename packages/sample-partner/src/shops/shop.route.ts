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

const LOOK_MS = 1000;

export function shopRoute(app: FastifyInstance, sample: Sample): void {
  app.get<{ Params: { id: string } }>("/shops/:id", async (request, reply) => {
    await lookAgain(sample, request.params.id);
    return sendShop(request, reply, sample);
  });
}

/** A shop's name and plan may change at any time, and with the plan what we may do. */
async function lookAgain({ partnerConnect, shops }: Sample, connectionId: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(LOOK_MS);
    shops.update(connectionId, await partnerConnect.shop(connectionId).connection({ signal }));
  } catch {
    // What we knew is shown; a connection that fails is told elsewhere.
  }
}

export function sendShop(
  request: ShopRequest,
  reply: FastifyReply,
  { shops, database }: Sample,
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
${statusView(shop)}
${responsesView(readResponses(database, id, readPosition(request.query as Record<string, unknown>)))}
${sourcesView(shop, createdSources(database, id), token, refused)}
${disconnectLink(shop)}`;
  return sendPage(reply, { title: shop.name, main, status: refused ? 400 : 200 });
}

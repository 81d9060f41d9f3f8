import type { FastifyReply } from "fastify";
import { ownPath } from "../forms/own-path.ts";
import type { PageLinks } from "./page-settings.ts";

/** What stands around the content of a page. */
export interface PageFrame {
  /** The host that the browser asked. */
  readonly host: string;
  readonly links: PageLinks;
  /** Where this page can be opened again, in another language; null if it can't. */
  readonly path: string | null;
}

export function pageFrame(reply: FastifyReply): PageFrame {
  const { request, server } = reply;
  const { publicBaseUrl, links } = server.pageSettings;
  return {
    host: request.host || new URL(publicBaseUrl).host,
    links,
    path: canBeOpened(reply) ? ownPath(request.url) : null,
  };
}

/** A page that answers a form can be opened again if its path is a page's path too. */
function canBeOpened({ request, server }: FastifyReply): boolean {
  const { url } = request.routeOptions;
  return request.method === "GET" || (url !== undefined && server.hasRoute({ method: "GET", url }));
}

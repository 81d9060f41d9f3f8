import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";

/**
 * The headers that the service gets: every header as it came, also one that came twice, of which Node would keep the first.
 * Only the gateway says who the client is and how it came (`x-forwarded-*`).
 */
export function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const sent: Record<string, string | string[] | undefined> = {};
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name === "x-real-ip" || name.startsWith("x-forwarded-")) continue;
    const values = request.raw.headersDistinct[name];
    sent[name] = values && values.length > 1 ? values : headers[name];
  }
  const host = request.headers.host;
  sent["host"] = host;
  sent["x-forwarded-for"] = request.socket.remoteAddress;
  sent["x-forwarded-host"] = host;
  sent["x-forwarded-proto"] = "http";
  return sent as IncomingHttpHeaders;
}

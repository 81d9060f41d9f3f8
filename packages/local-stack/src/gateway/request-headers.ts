import type { IncomingHttpHeaders } from "node:http";
import { traceHeaders } from "@partner-connect/service-runtime";
import type { FastifyRequest } from "fastify";

/** A caller's own trace is not continued: it could choose what is kept, and join what has nothing to do with it. */
const CALLERS_TRACE = new Set(["traceparent", "tracestate", "baggage"]);

/**
 * The headers that the service gets: every header as it came, also one that came twice: Node would keep the first alone.
 * Only the gateway says who the client is and how it came (`x-forwarded-*`), the request's id, and to which trace it belongs.
 */
export function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const sent: Record<string, string | string[] | undefined> = {};
  for (const name of Object.keys(headers)) {
    if (name === "forwarded" || name === "x-real-ip" || name.startsWith("x-forwarded-")) continue;
    if (CALLERS_TRACE.has(name)) continue;
    const values = request.raw.headersDistinct[name];
    sent[name] = values && values.length > 1 ? values : headers[name];
  }
  const host = request.headers.host;
  sent["host"] = host;
  sent["x-forwarded-for"] = request.socket.remoteAddress;
  sent["x-forwarded-host"] = host;
  sent["x-forwarded-proto"] = "http";
  sent["x-request-id"] = request.id;
  Object.assign(sent, traceHeaders(request));
  return sent as IncomingHttpHeaders;
}

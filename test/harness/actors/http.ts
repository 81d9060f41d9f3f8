import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Sending {
  readonly method?: string;
  /** A list sends the header once for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** The address that the request comes from; on Linux any of 127.0.0.0/8. */
  readonly from?: string;
}

/** A response as it came over the wire. No redirect was followed. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire; tests assert it exactly
  json(): any;
}

/** Milliseconds after which a request without a response fails. */
const LIMIT_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends a request byte for byte. Hosts below `localhost` are this machine (RFC 6761). */
export function send(
  url: string,
  { method = "GET", headers = {}, body, from }: Sending = {},
): Promise<Answer> {
  const [, host = "", path = "/"] = /^http:\/\/([^/?#]+)([^#]*)/.exec(url) ?? [];
  const port = host.split(":")[1] ?? "80";
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: "127.0.0.1",
      port,
      path: path.startsWith("/") ? path : `/${path}`,
      method,
      localAddress: from,
      timeout: LIMIT_MS,
    });
    outgoing.on("timeout", () =>
      outgoing.destroy(new Error(`no answer from ${url} within ${LIMIT_MS / 1000} s`)),
    );
    outgoing.setHeader("host", host);
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          json: () => JSON.parse(text),
        });
      });
    });
    outgoing.end(body);
  });
}

/** Posts a form as browsers and OAuth clients do. */
export function sendForm(
  url: string,
  fields: Readonly<Record<string, string>> | URLSearchParams | string,
  headers: Sending["headers"] = {},
  from?: string,
): Promise<Answer> {
  return send(url, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: typeof fields === "string" ? fields : new URLSearchParams(fields).toString(),
    ...(from && { from }),
  });
}

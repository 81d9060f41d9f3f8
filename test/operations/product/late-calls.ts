import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * A network to the internal API that loses answers, so that calls are repeated, answers some itself
 * by 408 or 500, and sends calls with versions once more, after newer ones. Calls about a shop
 * arrive in order; a late one of a deleted shop is dropped, as the shop may have been made again.
 */
export async function lateCalls(target: string, random: () => number) {
  const counts = { lost: 0, late: 0, refused: 0 };
  let kept: (Call & { readonly subject: string })[] = [];
  const last = new Map<string, Promise<unknown>>();

  function inOrder<T>(subject: string, work: () => Promise<T>): Promise<T> {
    const result = (last.get(subject) ?? Promise.resolve()).then(work);
    last.set(
      subject,
      result.catch(() => {}),
    );
    return result;
  }

  async function forward({ method, path, headers, body }: Call) {
    const answer = await fetch(`${target}${path}`, {
      method,
      headers,
      ...(body.length > 0 && { body }),
    });
    const retryAfter = answer.headers.get("retry-after");
    return { status: answer.status, retryAfter, text: await answer.text() };
  }

  async function serve(call: Call) {
    const [, , kind = "", id = "", what = ""] = call.path.split("/");
    if (kind.startsWith("sources")) return { ...(await forward(call)), isLost: false };
    const subject = `${kind}/${id}`;
    const answer = await inOrder(subject, () => forward(call));
    if (call.method === "DELETE" && what === "")
      kept = kept.filter((each) => each.subject !== subject);
    const hasVersions = what === "responses" || what === "deletions";
    if (hasVersions && random() < 0.5) kept.push({ ...call, subject });
    return { ...answer, isLost: random() < 0.05 };
  }

  const server = createServer(async (request, response) => {
    const { method = "", url: path = "" } = request;
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    try {
      const body = await buffer(request);
      if (random() < 0.02) {
        const [status, error] = random() < 0.5 ? [408, "invalid_request"] : [500, "internal_error"];
        response.writeHead(status, { "x-request-id": `lost-${++counts.refused}` });
        return void response.end(JSON.stringify({ error }));
      }
      const answer = await serve({
        method,
        path,
        headers: { authorization, "content-type": type },
        body,
      });
      if (answer.isLost) throw new Error(`lost: ${++counts.lost}`);
      const headers = answer.retryAfter === null ? {} : { "retry-after": answer.retryAfter };
      response.writeHead(answer.status, headers).end(answer.text);
    } catch {
      response.destroy(); // also if the back office was killed
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    /** Sends one of the kept calls, unless its shop was deleted since then. */
    async sendLate(): Promise<void> {
      const call = kept[Math.floor(random() * kept.length)];
      if (!call) return;
      await inOrder(call.subject, async () => {
        if (!kept.includes(call)) return;
        kept = kept.filter((each) => each !== call);
        if ((await forward(call)).status === 200) counts.late += 1;
      }).catch(() => {}); // the back office was killed
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

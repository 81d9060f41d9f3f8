import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";

/** A file that pages refer to. Its name changes with its content, so browsers may keep it. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: Buffer;
}

export const STYLESHEET = asset("sample.css", "text/css; charset=utf-8");
export const ICON = asset("icon.svg", "image/svg+xml");

function asset(name: string, type: string): Asset {
  const content = readFileSync(new URL(name, import.meta.url));
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `/assets/${digest}-${name}`, type, content };
}

export function assetRoutes(app: FastifyInstance): void {
  for (const { path, type, content } of [STYLESHEET, ICON]) {
    app.get(path, async (_request, reply) =>
      reply.headers({ "content-type": type, "cache-control": "public, max-age=31536000, immutable" }).send(content),
    );
  }
}

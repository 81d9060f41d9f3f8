import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

type Step<Request, Own> = (request: Request, reply: FastifyReply, own: Own) => Promise<FastifyReply> | FastifyReply;

/** Routes below `base` that begin alike: `open` finds what their URL names. Null: it has answered. */
export function stepRoutes<Request extends FastifyRequest, Own>(
  app: FastifyInstance,
  open: (request: Request, reply: FastifyReply) => Promise<Own | null>,
  base = "",
) {
  const add = (method: "GET" | "POST") => (path: string, step: Step<Request, Own>) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const own = await open(request as Request, reply);
      return own === null ? reply : await step(request as Request, reply, own);
    };
    app.route({ method, url: base + path, handler });
  };
  return { get: add("GET"), post: add("POST") };
}

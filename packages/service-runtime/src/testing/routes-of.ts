import type { FastifyInstance } from "fastify";

export interface ListedRoute {
  readonly method: string;
  /** The path with its parameters, such as `/oauth/assets/:file`. */
  readonly path: string;
}

const BRANCH = /^((?: {4}|│ {3})*)[├└]── (\S+)(?: \((.+)\))?/;

/** Every route that `app` has, by each of its methods. */
export function routesOf(app: FastifyInstance): readonly ListedRoute[] {
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split("\n")
    .flatMap((line) => {
      const [, indent, part, methods] = BRANCH.exec(line) ?? [];
      if (indent === undefined || part === undefined) return [];
      const depth = indent.length / 4;
      above.length = depth;
      above.push(part);
      const path = above.join("");
      return methods ? methods.split(", ").map((method) => ({ method, path })) : [];
    });
}

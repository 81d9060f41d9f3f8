import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route answers methods that its path does not have, so that they count against the path's rate limit. */
    readonly isMethodRefusal?: true;
  }
}

/**
 * Call it before the routes are added. The returned function takes a request's target and returns the value of `Allow` (RFC 9110 §10.2.1),
 * or null if the path has no route.
 */
export function allowedMethods(app: FastifyInstance): (target: string) => string | null {
  const routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];
  app.addHook("onRoute", ({ url, method, config }) => {
    if (config?.isMethodRefusal) return;
    const pattern = url.replace(/:\w+|./g, (part) => {
      if (part === "*") return ".*";
      return part.length > 1 ? "[^/]+" : RegExp.escape(part);
    });
    routes.push({ pattern: new RegExp(`^${pattern}$`), methods: [method].flat() });
  });
  return (target) => {
    const [path = ""] = target.split("?", 1);
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return methods.length > 0 ? [...new Set(methods)].join(", ") : null;
  };
}

import type { FastifyInstance } from "fastify";
import { connectionsRoutes } from "./connections.route.ts";
import { credentialsRoutes } from "./credentials.route.ts";
import { overviewRoutes } from "./overview.route.ts";
import { refusalsRoutes } from "./refusals.route.ts";
import { type TestShopContext, testShopRoutes } from "./test-shop.route.ts";
import { testShopsRoutes } from "./test-shops.route.ts";
import { usageRoutes } from "./usage.route.ts";
import type { Limits } from "./usage.view.ts";
import { webhooksRoutes } from "./webhooks.route.ts";

/** The pages on which partners help themselves. A room that is registered here appears in the navigation. */
export function partnerPages(
  app: FastifyInstance,
  context: TestShopContext & { readonly rateLimits: Limits; readonly supportUrl: string | null },
): void {
  overviewRoutes(app, context);
  connectionsRoutes(app, context);
  credentialsRoutes(app, context);
  refusalsRoutes(app, context);
  usageRoutes(app, context);
  webhooksRoutes(app, context);
  testShopsRoutes(app, context);
  testShopRoutes(app, context);
}

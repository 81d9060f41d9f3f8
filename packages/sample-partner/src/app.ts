import { join } from "node:path";
import formbody from "@fastify/formbody";
import helmet from "@fastify/helmet";
import { PartnerConnect } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Config } from "./config.ts";
import { callbackRoute } from "./connect/callback.route.ts";
import { connectRoute } from "./connect/connect.route.ts";
import { openDatabase } from "./database.ts";
import { disconnectRoutes } from "./disconnect/disconnect.route.ts";
import { errorPages } from "./http/errors.ts";
import { ownNameOnly, sameOriginForms } from "./http/guards.ts";
import { sessions } from "./http/sessions.ts";
import { assetRoutes } from "./page/assets.ts";
import { homeRoute } from "./shops/home.route.ts";
import { shopRoute } from "./shops/shop.route.ts";
import { ShopStore } from "./shops/shop-store.ts";
import { sourcesRoute } from "./sources/sources.route.ts";
import { followShops } from "./sync/follow-shops.ts";

export async function samplePartner(config: Config): Promise<FastifyInstance> {
  const connections = new SqliteStore(join(config.dataDir, "connections.sqlite"));
  const database = openDatabase(join(config.dataDir, "shops.sqlite"));
  const partnerConnect = new PartnerConnect({ ...config.partnerConnect, store: connections });
  const shops = new ShopStore(database);
  await shops.reconcile(partnerConnect.connections());

  const app = Fastify({
    logger: { level: "warn" },
    // URLs stay out of the log: that of the callback has a code in it.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    // Behind a proxy that speaks TLS for us, what it says of the request counts. Nobody else may say it.
    trustProxy: config.publicUrl.startsWith("https:") ? "loopback" : false,
  });
  const following = followShops({ partnerConnect, shops, database, log: app.log });
  app.addHook("onClose", async () => {
    await following.stop();
    connections.close();
    database.close();
  });

  app.decorate("docsUrl", `${config.partnerConnect.baseUrl}/docs`);
  ownNameOnly(app, config.publicUrl);
  sameOriginForms(app, config.publicUrl);
  await app.register(helmet, headers(config));
  await app.register(formbody);
  await sessions(app, config, database);
  errorPages(app);

  assetRoutes(app);
  for (const route of [homeRoute, connectRoute, callbackRoute, shopRoute, sourcesRoute, disconnectRoutes]) {
    route(app, { config, partnerConnect, shops, database });
  }
  return app;
}

/** Browsers run no script here, and load our stylesheet and icon and nothing else. */
function headers({ publicUrl, partnerConnect }: Config) {
  const none = ["'none'"];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        // Browsers ask it again for the redirect that follows on a form: 'Connect your shop' leads to Partner Connect.
        formAction: ["'self'", new URL(partnerConnect.baseUrl).origin],
        frameAncestors: none,
        baseUri: none,
      },
    },
    // With `no-referrer` browsers would send `Origin: null` with our own forms.
    referrerPolicy: { policy: "same-origin" },
    strictTransportSecurity: publicUrl.startsWith("https:"),
  } as const;
}

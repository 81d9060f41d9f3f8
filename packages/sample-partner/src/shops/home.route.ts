import type { FastifyInstance } from "fastify";
import { formToken, takeDone } from "../http/sessions.ts";
import { sendPage } from "../page/layout.ts";
import type { Sample } from "../sample.ts";
import { firstShopView, shopsView } from "./home.view.ts";

export function homeRoute(app: FastifyInstance, { config, shops }: Sample): void {
  const { host } = new URL(config.partnerConnect.baseUrl);
  app.get("/", async (request, reply) => {
    const token = formToken(reply);
    const list = shops.list();
    return sendPage(reply, list.length === 0 ? firstShopView(host, token) : shopsView(list, takeDone(request), token));
  });
}

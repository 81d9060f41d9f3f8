import type { LocalStackState } from "../stack/state.ts";
import { MERCHANTS } from "./demo-plan.ts";
import type { LoadedDemoData } from "./load-demo-data.ts";

type DemoUrls = Pick<LocalStackState, "base_url" | "sample_partner_url">;

/** What a newcomer needs for the first connection. The secrets are shown only by the start that made them. */
export function describeDemoData(demo: LoadedDemoData, urls: DemoUrls, file: string): string {
  const { sample_partner_url: url } = urls;
  const sample = url
    ? [`  sample app ${url}: connect a shop there as one of the merchants, and see its responses`]
    : [];
  const places = [...sample, `  docs       ${urls.base_url}/docs: the first connection in ten minutes`];
  if (!demo.fresh) return ["", ...places, `  demo credentials   ${file}`, ""].join("\n");
  const merchants = demo.merchants.flatMap(({ name, email, password }) => {
    const shops = MERCHANTS.find((merchant) => merchant.email === email)?.shops ?? [];
    const list = shops.map((shop) => `${shop.name} (${shop.plan})`).join(", ");
    return [`  merchant   ${name}: ${list}`, `             ${email}   ${password}`];
  });
  return [
    "",
    ...places,
    "",
    "  Demo data; these credentials are shown once, and kept in",
    `  ${file}`,
    "",
    ...merchants,
    `  partner    ${demo.client?.name}: ${demo.client?.scope}, ${demo.client?.redirect_uris.join(" ")} (any port)`,
    `             ${demo.client?.client_id}`,
    `             ${demo.client?.client_secret}`,
    `  API key    ${MERCHANTS[0].shops[0].name}`,
    `             ${demo.api_key}`,
    "",
    "  A first look at the API:",
    `    curl -H 'Authorization: ${demo.api_key}' '${urls.base_url}/api/responses?limit=1'`,
    "",
  ].join("\n");
}

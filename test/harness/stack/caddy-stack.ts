import { freePort } from "@partner-connect/local-stack";
import { type Caddy, caddyUrls, startCaddy } from "./caddy.ts";
import { type OwnStack, type OwnStackOptions, startOwnStack } from "./stacks.ts";

export interface CaddyStack extends OwnStack, Pick<Caddy, "innerUrl" | "log" | "reload"> {
  /** Ends everything but Caddy. */
  stopServices(): Promise<void>;
}

/**
 * A stack behind Caddy with the production Caddyfile, by plain HTTP on this machine. `now.base_url` and the other two URLs
 * are Caddy's hosts.
 */
export async function startCaddyStack(
  env: Readonly<Record<string, string>> = {},
  { apart = false }: Pick<OwnStackOptions, "apart"> = {},
): Promise<CaddyStack> {
  const port = await freePort();
  const urls = caddyUrls({ port });
  const stack = await startOwnStack({ env: { ...env, PUBLIC_BASE_URL: urls.base_url }, apart });
  const caddy = await startCaddy(stack, { port }).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const stopServices = () => {
    stopped ??= stack.stop();
    return stopped;
  };
  return {
    innerUrl: caddy.innerUrl,
    internalUrls: stack.internalUrls,
    get now() {
      return { ...stack.now, ...urls };
    },
    log: caddy.log,
    reload: caddy.reload,
    stopServices,
    async stop() {
      await caddy.stop();
      await stopServices();
    },
  };
}

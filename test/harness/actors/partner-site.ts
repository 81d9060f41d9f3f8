import { createServer } from "node:http";

export { selfSigned } from "@partner-connect/database/testing";

/** The redirect URIs to register for {@link partnerSite}. On loopback any port matches. */
export const SITE_REDIRECT_URIS = ["http://localhost/callback", "http://localhost/moves-on"];

/** Starts a partner's web site, to which merchants are redirected. */
export async function partnerSite() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/moves-on") {
      const { port } = server.address() as { port: number };
      response.writeHead(302, { location: `http://127.0.0.2:${port}/callback${url.search}` }).end();
      return;
    }
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<title>Partner</title><h1>Back at the partner</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const origin = `http://localhost:${(server.address() as { port: number }).port}`;
  return {
    /** A loopback redirect URI on this site's port: a page. */
    callback: `${origin}/callback`,
    /** Redirects again, as many partners' callbacks do, to an origin that our policy can't know. */
    callbackThatMovesOn: `${origin}/moves-on`,
    stop: () => void server.close().closeAllConnections(),
  };
}

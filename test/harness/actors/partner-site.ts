import { createServer } from "node:http";

/** A partner's web site, to which merchants are redirected. */
export interface PartnerSite {
  /** A loopback redirect URI on this site's port: a page. */
  readonly callback: string;
  /** A redirect URI that redirects again, as many partners' do, to another origin, whose scheme and host no policy of ours could name. */
  readonly callbackThatMovesOn: string;
  stop(): Promise<void>;
}

/** The redirect URIs to register for it. A loopback URI matches on any port. */
export const SITE_REDIRECT_URIS = ["http://localhost/callback", "http://localhost/moves-on"];

export async function partnerSite(): Promise<PartnerSite> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/moves-on") {
      const { port } = server.address() as { port: number };
      response.writeHead(302, { location: `http://127.0.0.2:${port}/callback${url.search}` }).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Partner</title><h1>Back at the partner</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const origin = `http://localhost:${(server.address() as { port: number }).port}`;
  return {
    callback: `${origin}/callback`,
    callbackThatMovesOn: `${origin}/moves-on`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

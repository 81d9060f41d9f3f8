import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";
import { browser, type Page } from "../browser/without-scripts.ts";

export interface Person {
  readonly subject: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
}

export type TestOpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

/** Starts an OpenID provider (oidc-provider) over HTTP. */
export async function startOpenIdProvider(publicBaseUrl: string) {
  const people = new Map<string, Person>();
  let present: Person | null = null;
  const altered = new Map<string, Parameters<typeof createServer>[1]>();
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const answer = altered.get(path);
    if (answer) return void (answer as (...parts: unknown[]) => void)(request, response);
    if (path.startsWith("/interaction/"))
      return void interact(request, response).catch((error) => response.destroy(error));
    return void callback(request, response);
  });
  // Keep idle connections open, because a request may be on its way.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "partner-connect",
        client_secret: "s".repeat(32),
        redirect_uris: [`${publicBaseUrl}/oauth/sign-in/openid/callback`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: "sig", alg: "RS256" }] },
    cookies: { keys: ["cookies"] },
    pkce: { required: () => true },
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: {
      IdToken: 3600,
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 60,
      Interaction: 60,
      Session: 60,
    },
    findAccount: (_, subject) => {
      const { email, emailVerified = true, name } = people.get(subject) ?? { subject };
      const claims = {
        sub: subject,
        ...(email && { email, email_verified: emailVerified }),
        ...(name && { name }),
      };
      return { accountId: subject, claims: () => claims };
    },
  });
  const callback = provider.callback();

  const interact: (
    ...parts: Parameters<NonNullable<Parameters<typeof createServer>[1]>>
  ) => Promise<void> = async (request, response) => {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (present === null) {
      return await provider.interactionFinished(request, response, { error: "access_denied" });
    }
    if (prompt.name === "login") {
      return await provider.interactionFinished(request, response, {
        login: { accountId: present.subject },
      });
    }
    const grant = new provider.Grant({
      accountId: session?.accountId ?? "",
      clientId: String(params["client_id"]),
    });
    grant.addOIDCScope("openid email profile");
    await provider.interactionFinished(request, response, {
      consent: { grantId: await grant.save() },
    });
  };

  return {
    issuer,
    /** The settings of an authorization server that uses this provider. */
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: "partner-connect",
      OIDC_CLIENT_SECRET: "s".repeat(32),
      OIDC_NAME: "Surveyor",
    },
    /** Follows a redirect to the provider, and signs `person` in or, if null, cancels. */
    async signIn({ location }: Pick<Page, "location">, person: Person | null) {
      present = person;
      if (person) people.set(person.subject, person);
      const site = browser(issuer, async ({ method, url, headers, body }) => {
        const answer = await fetch(url, {
          method,
          headers,
          redirect: "manual",
          ...(body !== undefined && { body }),
        });
        const setCookie = answer.headers.getSetCookie();
        return {
          status: answer.status,
          text: await answer.text(),
          headers: { ...Object.fromEntries(answer.headers), "set-cookie": setCookie },
        };
      });
      let next = location ?? "";
      while (next.startsWith(issuer) || next.startsWith("/")) {
        const page = await site.open(next);
        if (page.location === null) throw new Error(`no redirect: ${page.status} ${page.html}`);
        next = page.location;
      }
      return next;
    },
    /** An ID token signed by the provider. It expires in `seconds`, which may be negative. */
    idToken: (claims: JWTPayload, seconds: number) =>
      new SignJWT({ sub: "somebody", iss: issuer, aud: "partner-connect", ...claims })
        .setProtectedHeader({ alg: "RS256" })
        .setIssuedAt(Math.floor(Date.now() / 1000) + seconds - 60)
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(privateKey),
    /** Replaces the provider's handler of this path, until called with undefined. */
    override(path: string, answer: Parameters<typeof createServer>[1] | undefined) {
      if (answer) altered.set(path, answer);
      else altered.delete(path);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  WWWAuthenticateChallengeError,
} from "openid-client";
import type { Config } from "../../config.ts";

type OpenIdSettings = NonNullable<Config["openId"]>;

/** The secrets of one attempt, with which its response is checked. */
export interface OpenIdChecks {
  readonly verifier: string;
  readonly nonce: string;
}

/** The person that the provider authenticated. */
export interface OpenIdPerson {
  /** The issuer, exactly as the provider writes it. */
  readonly issuer: string;
  readonly subject: string;
  /** Null if the person has no address, or the provider has not verified it. */
  readonly email: string | null;
}

/**
 * A failed sign-in. `unavailable`: the provider is down, slow or sends invalid data.
 * `misconfigured`: it refuses our client.
 */
export class OpenIdFailure extends Error {
  override readonly name = "OpenIdFailure";
  readonly kind: "cancelled" | "ended" | "unavailable" | "misconfigured";

  constructor(kind: OpenIdFailure["kind"], cause: unknown, mistake?: string) {
    super([mistake, describe(cause)].filter(Boolean).join(": "), { cause });
    this.kind = kind;
  }
}

/** Maximum number of seconds for one response of the provider. */
const TIMEOUT_SECONDS = 5;

/** Tolerated deviation of the provider's clock, in seconds. */
const CLOCK_SECONDS = 90;

/** Milliseconds for which the provider's metadata is cached. */
const DISCOVERY_MS = 3_600_000;

/**
 * An OpenID Connect client of the provider. It fetches the metadata at the first sign-in, so that
 * our start doesn't depend on the provider.
 */
export function openIdProvider(settings: OpenIdSettings, redirectUri: string) {
  let known: { readonly configuration: Promise<Configuration>; readonly until: number } | null =
    null;

  function configuration(): Promise<Configuration> {
    if (known !== null && known.until > Date.now()) return known.configuration;
    const asked = { configuration: discover(settings), until: Date.now() + DISCOVERY_MS };
    known = asked;
    asked.configuration.catch(() => {
      if (known === asked) known = null;
    });
    return asked.configuration;
  }

  return {
    /**
     * The URL of the provider's sign-in page. With `asksAgain` the provider asks even if the
     * browser has a session there. @throws {OpenIdFailure}
     */
    async signInUrl({ verifier, nonce }: OpenIdChecks, state: string, asksAgain: boolean) {
      try {
        return buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          ...(asksAgain && { prompt: "login" }),
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
    /**
     * Returns the person that the callback's query identifies. The caller has checked `state`.
     * @throws {OpenIdFailure}
     */
    async identify(
      query: string,
      { verifier, nonce }: OpenIdChecks,
      state: string,
    ): Promise<OpenIdPerson> {
      try {
        const config = await configuration();
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
        const tokens = await authorizationCodeGrant(config, new URL(redirectUri + query), checks);
        const claims = tokens.claims();
        if (!claims) throw new Error("no ID token");
        // A provider may return some claims only at its UserInfo endpoint (OpenID Connect Core
        // §5.4).
        const isWhole = claims["email"] !== undefined && claims["email_verified"] !== undefined;
        const hasMore = !isWhole && config.serverMetadata().userinfo_endpoint !== undefined;
        const more = hasMore && (await fetchUserInfo(config, tokens.access_token, claims.sub));
        const { email, email_verified: isVerified }: Record<string, unknown> = {
          ...claims,
          ...more,
        };
        return {
          issuer: claims.iss,
          subject: claims.sub,
          // Cognito and Apple write the claim as a string.
          email:
            (isVerified === true || isVerified === "true") && typeof email === "string"
              ? email
              : null,
        };
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

export function newChecks(): OpenIdChecks {
  return { verifier: randomPKCECodeVerifier(), nonce: randomNonce() };
}

async function discover({
  issuer,
  clientId,
  clientSecret,
}: OpenIdSettings): Promise<Configuration> {
  const isPlain = issuer.startsWith("http:");
  const metadata = { [clockTolerance]: CLOCK_SECONDS };
  const execute = [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])];
  return await discovery(new URL(issuer), clientId, metadata, clientAuthentication(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    execute,
  });
}

/** Uses `client_secret_basic`, or `client_secret_post` if the provider doesn't list the former. */
function clientAuthentication(secret: string): ReturnType<typeof ClientSecretBasic> {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported;
    const authenticate = known && !known.includes("client_secret_basic") ? post : basic;
    authenticate(server, ...rest);
  };
}

/** What is wrong with our client, by the provider's error code (RFC 6749 §4.1.2.1, §5.2). */
const MISTAKES: Readonly<Record<string, string>> = {
  invalid_client: "OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is wrong",
  unauthorized_client: "the client may not use the authorization code flow",
  unsupported_response_type: "the client may not use the authorization code flow",
  invalid_scope: "the client may not request openid, email and profile",
  invalid_request: "the provider refuses the form of our request",
};

/** The provider's error code. With a Basic challenge, the library doesn't read it from the body. */
function errorCodeOf(error: unknown): string | undefined {
  const isChallenge = error instanceof WWWAuthenticateChallengeError;
  if (isChallenge && error.cause.some(({ scheme }) => scheme === "basic")) return "invalid_client";
  return (error as { readonly error?: string }).error;
}

function failureOf(error: unknown): OpenIdFailure {
  if (error instanceof AuthorizationResponseError && error.error === "access_denied") {
    return new OpenIdFailure("cancelled", error);
  }
  if (error instanceof ResponseBodyError && error.error === "invalid_grant")
    return new OpenIdFailure("ended", error);
  const mistake = MISTAKES[errorCodeOf(error) ?? ""];
  if (mistake !== undefined) return new OpenIdFailure("misconfigured", error, mistake);
  return new OpenIdFailure("unavailable", error);
}

/** What went wrong, for the log, without text from the provider, which may be a token. */
function describe(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return [message, code, errorCodeOf(error)].filter((part) => typeof part === "string").join(", ");
}

import {
  hashCredential,
  type NewPasskey,
  type Passkey,
  shownAddress,
} from "@partner-connect/directory";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { FastifyReply, FastifyRequest } from "fastify";
import { randomSecret } from "../../browser/cookie.ts";
import { browserSecret, browserSecretOrNew } from "../../browser/csrf.ts";
import type { Config } from "../../config.ts";

/** The relying party (WebAuthn §4). */
interface RelyingParty {
  /** The domain of the passkeys. A passkey can't be moved to another domain. */
  readonly id: string;
  /**
   * The origins whose pages may ask for passkeys: the public host and the auth hostname. A response
   * from any other page is refused, whatever host the request names.
   */
  readonly origins: readonly string[];
}

export function relyingParty({
  tokens,
  authUrl,
}: Pick<Config, "tokens" | "authUrl">): RelyingParty {
  const { hostname, origin } = new URL(tokens.issuer);
  return { id: hostname, origins: authUrl === null ? [origin] : [origin, new URL(authUrl).origin] };
}

/** Seconds that the merchant has to respond. After that the page must be opened again. */
const CHALLENGE_SECONDS = 300;

/** A challenge of 256 bits, base64url, for one response by this browser and one purpose. */
async function newChallenge(reply: FastifyReply, purpose: string): Promise<string> {
  const challenge = randomSecret();
  const key = challengeKey(browserSecretOrNew(reply), purpose, challenge);
  await reply.server.redis.set(key, "", "EX", CHALLENGE_SECONDS);
  return challenge;
}

/** Deletes the challenge. True for only one response to it, even if several come at once. */
export async function useChallenge(request: FastifyRequest, purpose: string, challenge: string) {
  const secret = browserSecret(request);
  return (
    secret !== null &&
    (await request.server.redis.del(challengeKey(secret, purpose, challenge))) === 1
  );
}

function challengeKey(secret: string, purpose: string, challenge: string): string {
  return `passkey:challenge:${hashCredential(JSON.stringify([secret, purpose, challenge])).toString("base64url")}`;
}

/** COSE algorithms that all browsers and runtimes support: Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** A browser's response, as our script posts it. Other fields are read only by the library. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly challenge: string;
}

/**
 * Parses a browser's response; null if it is malformed. Nothing is verified yet, and the challenge
 * is the one that the response claims.
 */
export function readAnswer(text: string): PasskeyAnswer | null {
  try {
    const { id, response } = JSON.parse(text);
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    return typeof id === "string" && typeof challenge === "string" ? { id, challenge } : null;
  } catch {
    return null;
  }
}

/** The browser's options for signing with one of these passkeys. */
export async function signatureOptions(
  reply: FastifyReply,
  purpose: string,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await generateAuthenticationOptions({
    rpID: relyingParty(reply.server.config).id,
    challenge: new Uint8Array(Buffer.from(await newChallenge(reply, purpose), "base64url")),
    allowCredentials: descriptors(passkeys),
    userVerification: "preferred",
  });
}

/**
 * Returns the counter in the signature, or null if the signature is not by this passkey for this
 * challenge on one of our pages.
 */
export async function verifySignature(
  request: FastifyRequest,
  { id, publicKey, transports }: Passkey,
  challenge: string,
  text: string,
): Promise<number | null> {
  // Pass the counter as 0, so that the library accepts any; the caller compares it.
  const credential = {
    id,
    publicKey: new Uint8Array(publicKey),
    counter: 0,
    transports: [...transports],
  };
  return await nullIfInvalid(request, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(text) as AuthenticationResponseJSON,
      credential,
      ...verificationOptions(request, challenge),
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** Options for a new passkey. An authenticator that has one of `known` will not make another. */
export async function newPasskeyOptions(
  reply: FastifyReply,
  purpose: string,
  merchant: { readonly id: string; readonly email: string; readonly name: string },
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id } = relyingParty(reply.server.config);
  return await generateRegistrationOptions({
    rpID: id,
    rpName: id,
    challenge: new Uint8Array(Buffer.from(await newChallenge(reply, purpose), "base64url")),
    userID: new Uint8Array(Buffer.from(merchant.id)),
    userName: shownAddress(merchant.email),
    userDisplayName: merchant.name,
    excludeCredentials: descriptors(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Returns a new passkey, or null if it was not made for this challenge on one of our pages. */
export async function verifyNewPasskey(
  request: FastifyRequest,
  challenge: string,
  text: string,
): Promise<Omit<NewPasskey, "name"> | null> {
  return await nullIfInvalid(request, async () => {
    const response = JSON.parse(text) as RegistrationResponseJSON;
    if (mayHaveCertificates(response)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      supportedAlgorithmIDs: ALGORITHMS,
      ...verificationOptions(request, challenge),
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      id,
      publicKey,
      counter,
      transports: transports.filter(
        (each) => typeof each === "string" && /^[a-z-]{1,20}$/.test(each),
      ),
    };
  });
}

/**
 * True if the attestation may have certificates, whose URLs the library would request. Browsers
 * remove them, because we ask for no attestation (WebAuthn §5.1.3).
 */
function mayHaveCertificates({ response }: RegistrationResponseJSON): boolean {
  const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = made.get("fmt");
  return format === "packed" ? made.get("attStmt").get("x5c") !== undefined : format !== "none";
}

/**
 * What a response must match. User verification (a PIN or fingerprint) is not required, because the
 * password or the session is the other factor.
 */
function verificationOptions({ server }: FastifyRequest, challenge: string) {
  const { id, origins } = relyingParty(server.config);
  return {
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: id,
    requireUserVerification: false,
  };
}

function descriptors(passkeys: readonly Passkey[]) {
  return passkeys.map(({ id, transports }) => ({ id, transports: [...transports] }));
}

/** Runs the library. It has no store, so every error that it throws is an invalid response. */
async function nullIfInvalid<T>(
  { log }: FastifyRequest,
  work: () => Promise<T | null>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log.info({ reason: (error as Error).message }, "a passkey's answer was refused");
    return null;
  }
}

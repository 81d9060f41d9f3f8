import type { NewPasskey, Passkey } from "@partner-connect/directory";
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
import type { FastifyBaseLogger } from "fastify";
import type { RelyingParty } from "./relying-party.ts";

/** What all browsers and runtimes check: Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** A browser's answer, as our script posts it. Only the library reads more of it than this. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly challenge: string;
}

/** Null if the text is not the answer of a browser. Its challenge is what it says: nothing is checked. */
export function readAnswer(text: string): PasskeyAnswer | null {
  try {
    const { id, response } = JSON.parse(text);
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    return typeof id === "string" && typeof challenge === "string" ? { id, challenge } : null;
  } catch {
    return null;
  }
}

/** What the browser is told, to ask for one of these passkeys. */
export async function signatureOptions(
  party: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    allowCredentials: descriptors(passkeys),
    userVerification: "preferred",
  });
}

/** The counter of the signature, or null if the passkey has not signed this challenge for one of our pages. */
export async function signedCounter(
  party: RelyingParty,
  { id, publicKey, counter, transports }: Passkey,
  challenge: string,
  text: string,
  log: FastifyBaseLogger,
): Promise<number | null> {
  const credential = { id, publicKey: new Uint8Array(publicKey), counter, transports: [...transports] };
  return await judged(log, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: JSON.parse(text) as AuthenticationResponseJSON,
      credential,
      ...expected(party, challenge),
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** What the browser is told, to make a passkey for the merchant. An authenticator that has one of `known` makes no other. */
export async function newPasskeyOptions(
  party: RelyingParty,
  challenge: string,
  merchant: { readonly id: string; readonly email: string; readonly name: string },
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, "base64url")),
    userID: new Uint8Array(Buffer.from(merchant.id)),
    userName: merchant.email,
    userDisplayName: merchant.name,
    excludeCredentials: descriptors(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** The passkey that a browser has made, or null if it was not made for this challenge on one of our pages. */
export async function madePasskey(
  party: RelyingParty,
  challenge: string,
  text: string,
  log: FastifyBaseLogger,
): Promise<Omit<NewPasskey, "name"> | null> {
  return await judged(log, async () => {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(text) as RegistrationResponseJSON,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected(party, challenge),
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { id, publicKey, counter, transports: transports.filter((each) => typeof each === "string") };
  });
}

/** The password or the session is the other factor, so no PIN or fingerprint is asked for beside the passkey. */
function expected({ id, origins }: RelyingParty, challenge: string) {
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

/** The library throws whatever is wrong with an answer. It asks no store, so that is never a fault. */
async function judged<T>(log: FastifyBaseLogger, work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    log.info({ reason: (error as Error).message }, "a passkey's answer was refused");
    return null;
  }
}

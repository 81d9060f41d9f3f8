import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { BASE_URL } from "./replicas.ts";

/** Overrides for the client data and the signature of an ES256 passkey (WebAuthn §5.8.1, §6.1). */
export interface Signing {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
  /** The URL of a revocation list, in the certificates of an attestation. Default: none of them. */
  readonly crl?: string;
}

export type TestPasskey = ReturnType<typeof testPasskey>;

const RP_ID = new URL(BASE_URL).hostname;
const [USER_PRESENT, ATTESTED] = [0x01, 0x40];

const hex = (digits: string) => Buffer.from(digits, "hex");
const withLength = (head: number[], ...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([...head, body.length >> 8, body.length & 255]), body]);
};
const cborBytes = (bytes: Buffer) => withLength([0x59], bytes);
const der = (tag: number, ...parts: readonly Buffer[]) => withLength([tag, 0x82], ...parts);

export function testPasskey() {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // COSE: {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}
  const key = Buffer.concat([
    hex("a5010203262001215820"),
    Buffer.from(x, "base64url"),
    hex("225820"),
    Buffer.from(y, "base64url"),
  ]);

  function answer(response: object): string {
    const name = id.toString("base64url");
    return JSON.stringify({
      id: name,
      rawId: name,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });
  }
  function clientData(
    type: string,
    challenge: string,
    { origin = BASE_URL, ...signing }: Signing,
  ): Buffer {
    return Buffer.from(
      JSON.stringify({ type: signing.type ?? type, challenge, origin, crossOrigin: false }),
    );
  }
  function authenticatorData(flags: number, { rpId = RP_ID, counter = 0 }: Signing): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), tail]);
  }
  /** `android-key` (WebAuthn §8.4), with a certificate of this key and its issuer's. */
  function androidStatement(challenge: Buffer, crl: string): Buffer {
    const spki = publicKey.export({ type: "spki", format: "der" });
    const ecdsaWithSha256 = hex("300a06082a8648ce3d040302");
    const name = (text: string) =>
      der(0x30, der(0x31, der(0x30, hex("0603550403"), der(0x0c, Buffer.from(text)))));
    const dates = ["200101000000Z", "491231235959Z"].map((date) => der(0x17, Buffer.from(date)));
    const description = [der(0x04, challenge), hex("040030003000")];
    const url = der(0xa0, der(0xa0, der(0x86, Buffer.from(crl))));
    const extensions = [
      [hex("060a2b06010401d679020111"), der(0x30, hex("0201030a01000201030a0100"), ...description)],
      [hex("0603551d1f"), der(0x30, der(0x30, url))],
    ] as const;
    const certificates = ["leaf", "root"].map((subject) => {
      const head = [hex("a003020102020101"), ecdsaWithSha256, name("root"), der(0x30, ...dates)];
      const each = extensions.map(([oid, value]) => der(0x30, oid, der(0x04, value)));
      const tbs = der(0x30, ...head, name(subject), spki, der(0xa3, der(0x30, ...each)));
      const signature = der(0x03, hex("00"), sign("sha256", tbs, privateKey));
      return cborBytes(der(0x30, tbs, ecdsaWithSha256, signature));
    });
    return Buffer.concat([
      hex("6b"),
      Buffer.from("android-key"),
      hex("6761747453746d74a363616c672663736967410063783563"), // {"alg": -7, "sig": 00, "x5c": …}
      hex("82"),
      ...certificates,
    ]);
  }

  return {
    id: id.toString("base64url"),
    /** The value that our script posts for a page's `create` options. */
    make({ challenge }: { readonly challenge: string }, signing: Signing = {}): string {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const head = authenticatorData(USER_PRESENT | ATTESTED, signing);
      const data = Buffer.concat([head, Buffer.alloc(16), length, id, key]);
      const said = clientData("webauthn.create", challenge, signing);
      // CBOR: {"fmt": …, "attStmt": …, "authData": data}
      const attestation = Buffer.concat([
        hex("a363666d74"),
        signing.crl === undefined
          ? hex("646e6f6e656761747453746d74a0")
          : androidStatement(createHash("sha256").update(said).digest(), signing.crl),
        hex("686175746844617461"),
        cborBytes(data),
      ]);
      return answer({
        clientDataJSON: said.toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      });
    },
    /** The value that our script posts for a page's `get` options. */
    sign({ challenge }: { readonly challenge: string }, signing: Signing = {}): string {
      const said = clientData("webauthn.get", challenge, signing);
      const data = authenticatorData(USER_PRESENT, signing);
      const signed = Buffer.concat([data, createHash("sha256").update(said).digest()]);
      return answer({
        clientDataJSON: said.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
      });
    },
  };
}

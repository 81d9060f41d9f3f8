import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { BASE_URL } from "./replicas.ts";

/** Overrides for the client data and the signature of an ES256 passkey (WebAuthn §5.8.1, §6.1). */
export interface Signing {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly counter?: number;
}

export type TestPasskey = ReturnType<typeof testPasskey>;

const RP_ID = new URL(BASE_URL).hostname;
const [USER_PRESENT, ATTESTED] = [0x01, 0x40];

export function testPasskey() {
  const id = randomBytes(16);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // COSE: {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}
  const key = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
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

  return {
    id: id.toString("base64url"),
    /** The value that our script posts for a page's `create` options. */
    make({ challenge }: { readonly challenge: string }, signing: Signing = {}): string {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const head = authenticatorData(USER_PRESENT | ATTESTED, signing);
      const data = Buffer.concat([head, Buffer.alloc(16), length, id, key]);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([data.length]),
        data,
      ]);
      return answer({
        clientDataJSON: clientData("webauthn.create", challenge, signing).toString("base64url"),
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

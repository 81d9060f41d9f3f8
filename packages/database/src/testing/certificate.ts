import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  /** PEM */
  readonly certificate: string;
  /** PEM, PKCS #8 */
  readonly key: string;
}

/** A certificate that its own key signed, for one day, of the DNS names and IPv4 addresses. RFC 5280. */
export function selfSigned(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(tlv(0x31, sequence(oid(0x55, 4, 3), tlv(0x0c, Buffer.from(names[0] ?? "")))));
  const now = Date.now();
  const alternatives = names.map((name) =>
    /^[\d.]+$/.test(name) ? tlv(0x87, Buffer.from(name.split(".").map(Number))) : tlv(0x82, Buffer.from(name)),
  );
  const body = sequence(
    tlv(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(sequence(oid(0x55, 29, 17), tlv(0x04, sequence(...alternatives))))),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2));

function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const header = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...header]), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function integer(value: number): Buffer {
  return tlv(0x02, Buffer.from([value]));
}

/** The bytes as they are encoded. */
function oid(...bytes: number[]): Buffer {
  return tlv(0x06, Buffer.from(bytes));
}

/** UTCTime: yymmddhhmmssZ. */
function time(milliseconds: number): Buffer {
  return tlv(0x17, Buffer.from(`${new Date(milliseconds).toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
}

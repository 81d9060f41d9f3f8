import { execFileSync } from "node:child_process";

const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const PEM = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----\n/g;

/** A self-signed certificate for one day, for DNS names and IPv4 addresses. PEM; the key as PKCS #8. */
export function selfSigned(names: readonly string[]): { readonly certificate: string; readonly key: string } {
  const alternatives = names.map((name) => `${/^[\d.]+$/.test(name) ? "IP" : "DNS"}:${name}`).join();
  const subject = ["-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${alternatives}`];
  const args = ["req", "-x509", ...EC_KEY, ...subject, "-days", "1", "-keyout", "-", "-out", "-"];
  const parts = execFileSync("openssl", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).match(PEM);
  const [key = "", certificate = ""] = parts ?? [];
  return { certificate, key };
}

import { type KeyObject, randomUUID } from "node:crypto";
import { ACCESS_TOKEN_TYPE, type AccessTokenClaims, type SigningAlgorithm } from "@partner-connect/access-token";
import type { LiveGrant } from "@partner-connect/connections";
import { signer } from "./signer.ts";

export interface AccessTokenIssuer {
  /** A signed JWT (RFC 9068) for the grant with this scope, which is the connection's or less. */
  issue(grant: LiveGrant, clientId: string, scope: readonly string[]): string;
}

export interface AccessTokenIssuerOptions {
  readonly key: { readonly kid: string; readonly alg: SigningAlgorithm; readonly privateKey: KeyObject };
  readonly issuer: string;
  readonly audience: string;
  readonly ttl: number;
}

export function accessTokenIssuer(options: AccessTokenIssuerOptions): AccessTokenIssuer {
  const { kid, alg, privateKey } = options.key;
  const header = encode({ alg, typ: ACCESS_TOKEN_TYPE, kid });
  const signature = signer(alg, privateKey);
  return {
    issue(grant, clientId, scope) {
      const iat = Math.floor(Date.now() / 1000);
      const claims: AccessTokenClaims = {
        iss: options.issuer,
        aud: options.audience,
        sub: grant.shopId,
        client_id: clientId,
        scope: scope.join(" "),
        jti: randomUUID(),
        iat,
        exp: iat + options.ttl,
        connection_id: grant.connectionId,
        grant_id: grant.grantId,
        generation: grant.generation,
      };
      const input = `${header}.${encode(claims)}`;
      return `${input}.${signature(Buffer.from(input)).toString("base64url")}`;
    },
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

import { randomUUID } from "node:crypto";
import type { TokenSubject } from "@partner-connect/connections";
import {
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
  grantableScope,
} from "@partner-connect/contract";
import { createLocalJWKSet, errors, jwtVerify } from "jose";
import type { Config } from "../config.ts";
import type { LiveSigningKeys } from "../signing-keys/live-signing-keys.ts";
import type { TokenResponse } from "./token.schema.ts";

export interface IssuedTokens {
  readonly response: TokenResponse;
  readonly subject: TokenSubject;
}

/** Issues an access token for the part of `scope`, perhaps none, that client and plan now allow. */
export function issueTokenResponse(
  accessTokens: AccessTokenIssuer,
  subject: TokenSubject,
  scope: readonly string[] = subject.scope,
): TokenResponse {
  const granted = grantableScope(scope, subject.clientScope, subject.plan);
  return {
    access_token: accessTokens.issue(subject, granted),
    token_type: "Bearer",
    expires_in: accessTokens.ttl,
    scope: granted.join(" "),
  };
}

export type AccessTokenIssuer = ReturnType<typeof accessTokenIssuer>;

type TokenConfig = Pick<Config["tokens"], "issuer" | "audience" | "accessTokenTtl">;

export function accessTokenIssuer(
  keys: Pick<LiveSigningKeys, "current">,
  { issuer, audience, accessTokenTtl: ttl }: TokenConfig,
) {
  return {
    ttl,
    /** Signs a JWT (RFC 9068). `scope`: the connection's scope or a part of it. */
    issue(subject: TokenSubject, scope: readonly string[]): string {
      const { header, signer } = keys.current.active;
      const iat = Math.floor(Date.now() / 1000);
      const claims: AccessTokenClaims = {
        iss: issuer,
        aud: audience,
        sub: subject.shopId,
        client_id: subject.clientId,
        scope: scope.join(" "),
        jti: randomUUID(),
        iat,
        exp: iat + ttl,
        connection_id: subject.connectionId,
        grant_id: subject.grantId,
        generation: subject.generation,
      };
      const input = `${header}.${encode(claims)}`;
      return `${input}.${signer.sign(Buffer.from(input)).toString("base64url")}`;
    },
    /** Returns the claims of an unexpired token of ours, or null. */
    async verify(token: string): Promise<AccessTokenClaims | null> {
      try {
        const keySet = createLocalJWKSet({ keys: [...keys.current.published] });
        const verified = await jwtVerify<AccessTokenClaims>(token, keySet, {
          issuer,
          audience,
          typ: ACCESS_TOKEN_TYPE,
        });
        return verified.payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

import { join } from "node:path";
import type { SigningAlgorithm } from "@partner-connect/contract";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { createSigningKeysFile, readSigningKeys } from "@partner-connect/signing-keys";
import { createLocalJWKSet, jwtVerify } from "jose";
import { expect, onTestFinished, test } from "vitest";
import { prepareKeys } from "../signing-keys/live-signing-keys.ts";
import { accessTokenIssuer } from "./access-token.ts";

test.each(["EdDSA", "ES256"] satisfies SigningAlgorithm[])(
  "an access token signed with %s is verified by the published keys",
  async (alg) => {
    const file = join(temporaryFolder(onTestFinished), "signing-keys.json");
    await createSigningKeysFile(file, alg);
    const keys = await readSigningKeys(file);
    const options = { issuer: "https://connect.example", audience: "https://connect.example/api" };
    const subject = {
      connectionId: "con_1",
      shopId: "shop_1",
      clientId: "client_1",
      grantId: "g",
      generation: 3,
      scope: [],
      clientScope: [],
      plan: "standard" as const,
    };
    const issuer = accessTokenIssuer(
      { current: prepareKeys(keys) },
      { ...options, accessTokenTtl: 900 },
    );
    const token = issuer.issue(subject, ["responses:read"]);
    const { payload, protectedHeader } = await jwtVerify(
      token,
      createLocalJWKSet({ keys: [...keys.published] }),
      {
        ...options,
        typ: "at+jwt",
        algorithms: [alg],
      },
    );
    expect(protectedHeader).toEqual({ alg, typ: "at+jwt", kid: keys.active.kid });
    expect(payload).toMatchObject({
      sub: "shop_1",
      client_id: "client_1",
      scope: "responses:read",
      generation: 3,
    });
  },
);

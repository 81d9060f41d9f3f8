import { SCOPES } from "@partner-connect/contract";
import type { FastifyInstance } from "fastify";

/** RFC 9728 §3.1: before the path of the resource, `/api`. */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";
export const RESOURCE_PATH = "/api";

interface ProtectedResource {
  readonly resource: string;
  readonly metadataUrl: string;
}

/**
 * The API has two public addresses. A client compares the one that it uses with the metadata (RFC 9728 §3.3); only configured ones are
 * told.
 */
export class ProtectedResources {
  readonly #byHost: ReadonlyMap<string, ProtectedResource>;
  readonly #main: ProtectedResource;

  /** @param publicUrls without a slash at the end; the first is told where a request names another host */
  constructor(publicUrls: readonly [string, ...string[]]) {
    this.#byHost = new Map(publicUrls.map((url) => [new URL(url).host, resourceAt(url)]));
    this.#main = resourceAt(publicUrls[0]);
  }

  /** @param host as the client sent it: with the port, where it is not the scheme's own */
  calledAt(host: string): ProtectedResource {
    return this.#byHost.get(host.toLowerCase()) ?? this.#main;
  }
}

function resourceAt(publicUrl: string): ProtectedResource {
  return {
    resource: `${publicUrl}${RESOURCE_PATH}`,
    metadataUrl: `${publicUrl}${METADATA_PATH}${RESOURCE_PATH}`,
  };
}

interface ProtectedResourceOptions {
  readonly resources: ProtectedResources;
  readonly issuer: string;
}

/** Protected resource metadata (RFC 9728), for everybody: which authorization server's access tokens the API takes. */
export function protectedResourceRoute(app: FastifyInstance, { resources, issuer }: ProtectedResourceOptions): void {
  for (const path of [`${METADATA_PATH}${RESOURCE_PATH}`, METADATA_PATH]) {
    app.get(path, async (request, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .header("cache-control", "public, max-age=300")
        .send({
          resource: resources.calledAt(request.host).resource,
          authorization_servers: [issuer],
          scopes_supported: SCOPES,
          bearer_methods_supported: ["header"],
          resource_name: "Partner Connect API",
          resource_documentation: `${issuer}/docs`,
        }),
    );
  }
}

import type { Scope } from "@partner-connect/access-token";
import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import { errors, type InteractionResults } from "oidc-provider";
import type { Clients } from "../clients/client-cache.ts";
import type { PendingAuthorizations } from "../consent/pending-authorization.ts";

/** The consent pages' view of the library's interactions. */
export function pendingAuthorizations(provider: Provider, clients: Clients): PendingAuthorizations {
  async function finish(request: FastifyRequest, reply: FastifyReply, result: InteractionResults): Promise<string> {
    const returnTo = await provider.interactionResult(request.raw, reply.raw, result, {
      mergeWithLastSubmission: false,
    });
    return new URL(returnTo).pathname;
  }

  return {
    async find(request, reply, uid) {
      const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
        if (error instanceof errors.SessionNotFound) return null;
        throw error;
      });
      // The cookie's path is the page's, so they agree in a browser; another client may send what it likes.
      if (interaction?.uid !== uid) return null;
      const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params as Record<string, string>;
      const client = await clients.find(clientId ?? "");
      if (!client || redirectUri === undefined || scope === undefined) return null;
      return { uid, client, redirectUri, scope: scope.split(" ") as Scope[], csrfSeed: interaction.cid };
    },

    async approve(request, reply, pending, { grantId, shopId, scope }) {
      const grant = new provider.Grant({ accountId: shopId, clientId: pending.client.clientId });
      grant.jti = grantId;
      grant.addOIDCScope(scope.join(" "));
      const rest = pending.scope.filter((value) => !scope.includes(value));
      // What is neither granted nor rejected would be asked again.
      if (rest.length > 0) grant.rejectOIDCScope(rest.join(" "));
      await grant.save();
      return await finish(request, reply, { login: { accountId: shopId, remember: false }, consent: { grantId } });
    },

    async decline(request, reply) {
      return await finish(request, reply, { error: "access_denied" });
    },
  };
}

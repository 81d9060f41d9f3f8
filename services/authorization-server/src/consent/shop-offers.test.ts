import type { Connection } from "@partner-connect/connections";
import type { Plan, Scope } from "@partner-connect/contract";
import { describe, expect, test } from "vitest";
import { isSelectable, shopOffer, shownScope } from "./shop-offers.ts";

const READ: Scope = "responses:read";
const WRITE: Scope = "sources:write";
const BOTH = [READ, WRITE];

const shop = (plan: Plan) => ({ id: "shop_1", name: "Fern", domain: null, plan });
const connection = (status: Connection["status"], scope: readonly Scope[]): Connection => ({
  id: "con_1",
  shopId: "shop_1",
  clientId: "client_1",
  clientName: "Lookout",
  status,
  scope,
  merchantId: "mer_1",
  merchantName: "Ada",
  approvedAt: new Date(0),
  connectedAt: new Date(0),
  lastUsedAt: new Date(0),
  expiresAt: new Date(0),
});
const asking = (requested: readonly Scope[] = BOTH, clientScope: readonly Scope[] = BOTH) => ({
  requested,
  clientScope,
});

describe("the scopes offered for a shop", () => {
  test("everything requested, where the plan includes it", () => {
    const offer = shopOffer(shop("advanced_attribution"), asking(), null);
    const none = { unavailable: [], obstacle: null, connection: null, added: [], dropped: [] };
    expect(offer).toEqual({ shop: shop("advanced_attribution"), scope: BOTH, ...none });
    expect(isSelectable(offer)).toBe(true);
  });

  test("scopes that the plan lacks are named and left out", () => {
    expect(shopOffer(shop("standard"), asking(), null)).toMatchObject({
      scope: [READ],
      unavailable: [WRITE],
    });
  });

  test("scopes that the client may no longer have are not offered", () => {
    const offer = shopOffer(shop("advanced_attribution"), asking(BOTH, [READ]), null);
    expect(offer).toMatchObject({ scope: [READ], unavailable: [] });
  });

  test("a shop with nothing to grant can't be chosen", () => {
    expect(shopOffer(shop("standard"), asking([WRITE]), null).obstacle).toBe("nothing_to_grant");
  });

  test("a shop whose connection an operator holds can't be chosen", () => {
    const offer = shopOffer(shop("standard"), asking(), connection("disabled", [READ]));
    expect(offer).toMatchObject({ obstacle: "held", connection: null });
    expect(isSelectable(offer)).toBe(false);
  });

  test("a live connection is compared: what is added, what is dropped", () => {
    const more = shopOffer(shop("advanced_attribution"), asking(), connection("connected", [READ]));
    expect(more).toMatchObject({ added: [WRITE], dropped: [] });
    const less = shopOffer(
      shop("advanced_attribution"),
      asking([READ]),
      connection("connected", BOTH),
    );
    expect(less).toMatchObject({ added: [], dropped: [WRITE] });
  });

  test("one that is not live is no connection to compare with", () => {
    for (const status of ["expired", "revoked", "approved"] as const) {
      const offer = shopOffer(shop("standard"), asking(), connection(status, BOTH));
      expect.soft(offer, status).toMatchObject({ connection: null, dropped: [], obstacle: null });
    }
  });
});

test("an approval grants nothing beyond what was shown, and nothing beyond what can be granted now", () => {
  const plain = shopOffer(shop("standard"), asking(), null);
  const rich = shopOffer(shop("advanced_attribution"), asking(), null);
  expect(shownScope(rich, BOTH.join(" "))).toEqual(BOTH);
  expect(shownScope(rich, READ)).toEqual([READ]);
  expect(shownScope(plain, "responses:read sources:write openid")).toEqual([READ]);
  for (const posted of ["", " ", "__proto__"]) expect(shownScope(plain, posted)).toEqual([]);
});

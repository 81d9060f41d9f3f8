import type { Connection } from "@partner-connect/connections";
import type { Plan, Scope } from "@partner-connect/contract";
import { expect, test } from "vitest";
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

test("the scopes offered for a shop are all requested scopes that the plan includes", () => {
  const offer = shopOffer(shop("advanced_attribution"), asking(), null);
  const none = { unavailable: [], obstacle: null, replaced: null, added: [], dropped: [] };
  expect(offer).toEqual({ shop: shop("advanced_attribution"), scope: BOTH, ...none });
  expect(isSelectable(offer)).toBe(true);
});

test("a requested scope that the shop's plan lacks is not offered but listed as unavailable", () => {
  expect(shopOffer(shop("standard"), asking(), null)).toMatchObject({
    scope: [READ],
    unavailable: [WRITE],
  });
});

test("a requested scope that the client has lost is neither offered nor listed as unavailable", () => {
  const offer = shopOffer(shop("advanced_attribution"), asking(BOTH, [READ]), null);
  expect(offer).toMatchObject({ scope: [READ], unavailable: [] });
});

test("a shop that can grant none of the requested scopes can't be chosen", () => {
  expect(shopOffer(shop("standard"), asking([WRITE]), null).obstacle).toBe("nothing_to_grant");
});

test("a shop whose connection is on hold can't be chosen", () => {
  const offer = shopOffer(shop("standard"), asking(), connection("disabled", [READ]));
  expect(offer).toMatchObject({ obstacle: "disabled", replaced: null });
  expect(isSelectable(offer)).toBe(false);
});

test("the offer lists the scopes that are added to and dropped from a live connection", () => {
  const more = shopOffer(shop("advanced_attribution"), asking(), connection("connected", [READ]));
  expect(more).toMatchObject({ added: [WRITE], dropped: [] });
  const less = shopOffer(
    shop("advanced_attribution"),
    asking([READ]),
    connection("connected", BOTH),
  );
  expect(less).toMatchObject({ added: [], dropped: [WRITE] });
});

test("the offered scopes are not compared with a connection that is expired, revoked or only approved", () => {
  for (const status of ["expired", "revoked", "approved"] as const) {
    const offer = shopOffer(shop("standard"), asking(), connection(status, BOTH));
    expect.soft(offer, status).toMatchObject({ replaced: null, dropped: [], obstacle: null });
  }
});

test("an approval grants only scopes that were shown and that can be granted now", () => {
  const plain = shopOffer(shop("standard"), asking(), null);
  const rich = shopOffer(shop("advanced_attribution"), asking(), null);
  expect(shownScope(rich, BOTH.join(" "))).toEqual(BOTH);
  expect(shownScope(rich, READ)).toEqual([READ]);
  expect(shownScope(plain, "responses:read sources:write openid")).toEqual([READ]);
  for (const posted of ["", " ", "__proto__"]) expect(shownScope(plain, posted)).toEqual([]);
});

import { expect, test } from "vitest";
import { html } from "../page/html.ts";
import type { Shop, Trouble } from "./shop.ts";
import { troubleView } from "./shop.view.ts";

test.each<[Trouble, string]>([
  [{ code: "reconnect_required", reason: "grant revoked" }, "was ended at Partner Connect, or is paused"],
  [{ code: "reconnect_required", reason: "refresh token expired" }, "had not been used for 30 days"],
  [{ code: "reconnect_required", reason: "superseded by a newer authorization" }, "It was approved again"],
  [{ code: "invalid_grant" }, "doesn’t know the connection"],
])("of a connection that has ended the page says why, and offers to connect again: %j", (trouble, why) => {
  const shown = String(troubleView({ name: "Hats", trouble } as Shop, html``));
  expect(shown).toContain(why);
  expect(shown).toContain('<button class="primary">Connect again</button>');
});

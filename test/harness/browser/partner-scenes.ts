import { type Scene, type Stage, signIn } from "./merchant-scenes.ts";

/** The pages of partners, as somebody of Lookout Analytics sees them, and how to get there. */
export const PARTNER_SCENES: readonly Scene[] = [
  { name: "partner-overview", heading: /^Overview$/, open: (stage) => section(stage) },
  { name: "partner-connections", heading: /^Connections$/, open: (stage) => section(stage, "connections") },
  { name: "partner-connection", heading: /^Blue Cup Coffee/, open: connection },
  {
    name: "partner-disconnect",
    heading: /^Disconnect Blue Cup Coffee/,
    async open(stage) {
      await connection(stage);
      await stage.page.getByRole("button", { name: "Disconnect" }).click();
    },
  },
  { name: "partner-errors", heading: /^Errors$/, open: (stage) => section(stage, "errors") },
  { name: "partner-webhooks", heading: /^Webhooks$/, open: (stage) => section(stage, "webhooks") },
  { name: "partner-settings", heading: /^Settings$/, open: (stage) => section(stage, "settings") },
  {
    name: "partner-no-app",
    heading: /^No app in this account$/,
    async open(stage) {
      await stage.page.goto(`${stage.stack.base_url}/partner`);
      await signIn(stage, stage.world.grace);
    },
  },
  {
    name: "partner-test-shop",
    heading: /^Test shop 1$/,
    async open(stage) {
      await section(stage, "settings");
      const { page } = stage;
      await page.getByRole("link", { name: "Test shop 1" }).click();
      // Its responses are made within seconds of its creation.
      while (!(await page.getByRole("button", { name: "Add 20 responses" }).isVisible())) await page.reload();
    },
  },
];

async function section(stage: Stage, name = ""): Promise<void> {
  const { page, stack, world } = stage;
  await page.goto(`${stack.base_url}/partner/${world.lookout.clientId}/${name}`.replace(/\/$/, ""));
  await signIn(stage, world.nia);
}

async function connection(stage: Stage): Promise<void> {
  await section(stage, "connections");
  await stage.page
    .getByRole("link", { name: /^Blue Cup Coffee/ })
    .first()
    .click();
}

import { present } from "../../../../terminal/present.ts";
import type { Check } from "../../check.ts";
import { fine, wrong } from "../../finding.ts";

const DAY_MS = 86_400_000;

export const keyAge: Check = {
  name: "key-age",
  async look({ config }) {
    const { isOldKey, keyAge, loadKeys } = await import("@partner-connect/signing-keys");
    const active = (await loadKeys(config.signingKeysFile)).filter(({ status }) => status === "active");
    const now = present();
    const days = Math.max(0, ...active.map((key) => Math.floor(keyAge(key, now) / DAY_MS)));
    const found = `the active key is ${days} days old`;
    return active.some((key) => isOldKey(key, now)) ? wrong(found, "partner-connect keys rotate") : fine(found);
  },
};

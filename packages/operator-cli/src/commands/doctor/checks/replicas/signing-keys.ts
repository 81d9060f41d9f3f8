import { stat } from "node:fs/promises";
import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

/** Its owner reads and writes it; its group may read it, which a mounted Secret needs. */
const FORBIDDEN = 0o037;

export const signingKeys: Check = {
  name: "signing-keys",
  async look({ config: { signingKeysFile } }) {
    const { loadKeys } = await import("@partner-connect/signing-keys");
    const keys = await loadKeys(signingKeysFile);
    const { mode } = await stat(signingKeysFile);
    const active = keys.filter(({ status }) => status === "active");
    const isOpen = (mode & FORBIDDEN) !== 0;
    const problems = [
      ...(active.length === 1 ? [] : [`${active.length} keys are active, and it must be one`]),
      ...(isOpen
        ? [`${signingKeysFile} has the mode ${(mode & 0o777).toString(8)}, so others may read or change it`]
        : []),
    ];
    const remedy = isOpen
      ? `chmod 600 ${signingKeysFile}; if others may have read it, rotate: partner-connect keys --help`
      : "restore the file from its backup, or: partner-connect keys generate";
    return unless(problems, `${keys.length} in the file, ${active[0]?.kid} is active`, remedy);
  },
};

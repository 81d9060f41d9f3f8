import type { PastEvent } from "@partner-connect/audit";
import type { Html } from "@partner-connect/service-runtime/html";
import { named } from "../frame/name.ts";
import type { Locale } from "../texts/locale.ts";

/** Who did it. An operator is named to nobody. */
export function doneBy({ by, actorName }: PastEvent, { texts }: Locale): Html | string {
  if (actorName !== null) return texts.history.by(named(actorName));
  return by === "operator" ? texts.history.byUs : texts.history.byItself;
}

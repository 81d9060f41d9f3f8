import type { Check } from "../../check.ts";
import { fine, wrong } from "../../finding.ts";

/** A value that is malformed is refused before any command begins. */
export const configuration: Check = {
  name: "configuration",
  async look({ stack, replicas }) {
    const { publicBaseUrl } = await stack();
    if (publicBaseUrl === null) {
      return wrong(
        "PUBLIC_BASE_URL is not set, so links for merchants have no address",
        "set it as the services have it",
      );
    }
    if (replicas.length === 0) {
      return wrong("no replica is named, so none can be looked at", "name each by --replica, or all in REPLICAS");
    }
    return fine(`${publicBaseUrl}, ${replicas.length} replicas`);
  },
};

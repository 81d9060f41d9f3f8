import { fileURLToPath } from "node:url";
import { packSdk } from "./pack-sdk.ts";
import { PACKED, packedSdk, SDK_VERSION } from "./packed-sdk.ts";

/** `pnpm --filter @partner-connect/partner-sdk pack-sdk`: for an image, and for a publication. */
await packSdk();
console.log(`${fileURLToPath(PACKED)} ${SDK_VERSION} ${packedSdk()?.integrity}`);

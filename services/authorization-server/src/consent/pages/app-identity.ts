import type { Client } from "@partner-connect/directory";

/** Who asks, as merchants see it. All but the name may be missing. */
export type AppIdentity = Pick<Client, "name" | "publisher" | "website" | "privacyPolicy" | "logoPath">;

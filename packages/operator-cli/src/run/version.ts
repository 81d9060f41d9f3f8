import packageJson from "../../package.json" with { type: "json" };

/** The release that this command line belongs to. */
export const VERSION: string = packageJson.version;

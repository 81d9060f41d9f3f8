import { readFileSync } from "node:fs";

/** A file for partners to download. Its name stays; its content is the one of this release. */
export interface Download {
  readonly path: string;
  readonly type: string;
  readonly content: () => Buffer;
}

/** The SDK that is one file, and on no registry. */
export const PYTHON_SDK: Download = {
  path: "/docs/partner_connect.py",
  type: "text/x-python; charset=utf-8",
  content: () => readFileSync(new URL(import.meta.resolve("@partner-connect/partner-sdk-python/partner_connect.py"))),
};

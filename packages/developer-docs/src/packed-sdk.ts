import { packedSdk, SDK_VERSION } from "@partner-connect/partner-sdk/packed";
import { type DocsFile, docsFile, GZIP } from "./docs-file.ts";

const NOT_PACKED: DocsFile = {
  ...docsFile("text/plain; charset=utf-8", "This server runs from sources, and its SDK was not packed.\n", "no-store"),
  status: 404,
};

/** What `npm install {base_url}/docs/partner-sdk.tgz` gets. */
export function packedSdkFile(read: typeof packedSdk = packedSdk): () => DocsFile {
  let file: DocsFile | undefined;
  return () => {
    const packed = file ? null : read();
    if (packed) file = docsFile(GZIP, packed.bytes);
    return file ?? NOT_PACKED;
  };
}

/** A guide's text with the version and the checksums of the SDK that is served beside it. */
export function withSdk(text: string): string {
  if (!text.includes("{sdk_")) return text;
  const packed = packedSdk();
  return text
    .replaceAll("{sdk_version}", SDK_VERSION)
    .replaceAll("{sdk_sha256}", packed?.sha256 ?? "not packed")
    .replaceAll("{sdk_integrity}", packed?.integrity ?? "not packed");
}

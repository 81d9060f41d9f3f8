import { parse } from "yaml";

interface Kustomization {
  readonly images?: readonly { readonly name: string; readonly newName?: string; readonly digest?: string }[];
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The images of a kustomization.yaml that may be another build tomorrow, as no digest says which one is meant. */
export function unpinnedImages(kustomization: string, wanted: readonly string[]): string[] {
  const { images = [] } = parse(kustomization) as Kustomization;
  return wanted.filter((name) => {
    const image = images.find((one) => one.name === `partner-connect/${name}`);
    return !DIGEST.test(image?.digest ?? "");
  });
}

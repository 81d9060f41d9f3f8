/**
 * A guide asks to be told whom to ask by `[ask us]({support_url})`. That is a link to the operator's support, or where it
 * is not set: ask the operator who registered your client.
 */
export function withSupport(text: string, supportUrl: string | null): string {
  return text.replaceAll(/\[(\w+) us\]\(\{support_url\}\)/g, (_, verb: string) =>
    supportUrl === null ? `${verb} the operator who registered your client` : `[${verb} us](${supportUrl})`,
  );
}

export interface PostOrigin {
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
  readonly host: string;
}

/**
 * Whether a POST may come from a page of ours, on the public host or the one where the flow began. A client that names no origin is no
 * browser: then the form token decides.
 */
export function isSameOrigin(post: PostOrigin, publicBaseUrl: string): boolean {
  if (post.secFetchSite !== undefined && post.secFetchSite !== "same-origin") return false;
  if (post.origin === undefined) return true;
  const { origin, protocol } = new URL(publicBaseUrl);
  return post.origin === origin || post.origin === `${protocol}//${post.host.toLowerCase()}`;
}

/** What a browser says about where a POST comes from. */
export interface PostOrigin {
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
  /** Of this request. */
  readonly host: string;
}

/**
 * Whether a POST may come from a page of ours. A merchant's flow stays on the host where it began, so that host
 * counts as well as the public one. A client that says nothing about its origin is no browser; its form token decides.
 */
export function isSameOrigin(post: PostOrigin, publicBaseUrl: string): boolean {
  if (post.secFetchSite !== undefined && post.secFetchSite !== "same-origin") return false;
  if (post.origin === undefined) return true;
  const { origin, protocol } = new URL(publicBaseUrl);
  return post.origin === origin || post.origin === `${protocol}//${post.host.toLowerCase()}`;
}

/** What a browser says about where a POST comes from. */
export interface PostOrigin {
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
  /** The host of this request. */
  readonly host: string;
}

/**
 * Whether a POST may come from a page of ours. A merchant stays on the host where the flow began, so this request's
 * host counts as well as the public one. A client that says nothing about its origin is no browser; then the form token
 * decides.
 */
export function isSameOrigin(post: PostOrigin, publicBaseUrl: string): boolean {
  if (post.secFetchSite !== undefined && post.secFetchSite !== "same-origin") return false;
  if (post.origin === undefined) return true;
  const { origin, protocol } = new URL(publicBaseUrl);
  return post.origin === origin || post.origin === `${protocol}//${post.host.toLowerCase()}`;
}

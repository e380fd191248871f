// Queries and WebSocket addresses of the contract's calls.

/** Values of a query; null and undefined ones are skipped. */
export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `?key=value&…`, URL-encoded; empty when no value is left. */
export function encodeQuery(query: QueryValues | undefined): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined) continue;
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  }
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

export interface PageOrigin {
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** Host and port, as in `location.host`. */
  readonly host: string;
}

/** `ws://` or `wss://` as the page itself came, on the page's host. */
export function buildWebSocketUrl(path: string, query?: QueryValues, origin: PageOrigin = window.location): string {
  const scheme = origin.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${origin.host}${path}${encodeQuery(query)}`;
}

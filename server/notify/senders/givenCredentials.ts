// Credentials that somebody has written into an address or a header instead of the secret. Which parts they are nobody says, so
// every part that is long enough counts as one. Pure.

const MIN_HEADER_WORD = 8;
const MIN_QUERY_VALUE = 8;
/** Shorter ones are names of folders; tokens in paths are longer. */
const MIN_PATH_PART = 16;
/** Headers that say what is sent and not who sends it. */
const OPEN_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Of the settings' headers: `Bearer` is none, what follows it is. */
export function headerCredentials(headers: unknown): readonly string[] {
  if (!Array.isArray(headers)) return [];
  const hidden = (headers as readonly { readonly name: string; readonly value: string }[]).filter(
    ({ name }) => !OPEN_HEADERS.has(name.toLowerCase()),
  );
  const words = hidden.flatMap(({ value }) => value.split(/\s+/));
  return words.filter((word) => word.length >= MIN_HEADER_WORD && !hasPlaceholder(word));
}

/** Of an address, as it is written there and as it reads. */
export function addressCredentials(url: string): readonly string[] {
  const [, path = '', query = ''] = /^https?:\/\/[^/?#]*(\/[^?#]*)?(?:\?([^#]*))?/i.exec(url) ?? [];
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  const parts = [
    ...path.split('/').filter((part) => part.length >= MIN_PATH_PART),
    ...values.filter((value) => value.length >= MIN_QUERY_VALUE),
  ];
  return parts.filter((part) => !hasPlaceholder(part)).flatMap((part) => [part, decoded(part)]);
}

function hasPlaceholder(text: string): boolean {
  return text.includes('{{');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // it is no encoding of anything
  }
}

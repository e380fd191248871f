// Credentials that somebody has written into an address or a header instead of the secret. It isn't known which parts they are, so every
// part that is long enough counts as one. Pure.

const MIN_HEADER_WORD = 8;
const MIN_QUERY_VALUE = 8;
/** Shorter parts are names of folders; tokens in paths are longer. */
const MIN_PATH_PART = 16;
/** Headers about the content, not about the sender. */
const OPEN_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'user-agent']);

/** Credentials in the settings' headers: the word `Bearer` isn't one, the text after it is. */
export function headerCredentials(headers: unknown): readonly string[] {
  if (!Array.isArray(headers)) return [];
  const hidden = (headers as readonly { readonly name: string; readonly value: string }[]).filter(
    ({ name }) => !OPEN_HEADERS.has(name.toLowerCase()),
  );
  const words = hidden.flatMap(({ value }) => value.split(/\s+/));
  return words.filter((word) => word.length >= MIN_HEADER_WORD && !hasPlaceholder(word));
}

/** Credentials in an address, both encoded and decoded. */
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
    return part; // it isn't percent-encoded
  }
}

// The parts of a link's path, between its slashes.

/**
 * The parts, percent-decoded, or undefined when there are not exactly `count` or one cannot be decoded. They are split before
 * decoding, so an encoded slash belongs to its part; an empty part counts, one slash at the end does not.
 */
export function splitLinkParts(path: string, count: number): string[] | undefined {
  const parts = path.replace(/\/$/, '').split('/');
  if (parts.length !== count) return undefined;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

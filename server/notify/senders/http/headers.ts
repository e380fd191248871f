// Headers of requests that somebody has configured. Pure.

/** Headers that are set by the gateway or by HTTP itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether a sender's settings may not contain it. */
export function isOwnHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return OWN_HEADERS.has(lower) || lower.startsWith('x-fleetglass-');
}

/** One line, in UTF-8 as HTTP carries it. */
export function headerValue(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return Buffer.from(line).toString('latin1');
}

export interface GivenHeader {
  readonly name: string;
  readonly value: string;
}

/** Headers by names in lower case, so that the same name in another case is not sent twice. The gateway's own are left out. */
export function givenHeaders(headers: readonly GivenHeader[]): Record<string, string> {
  const allowed = headers.filter(({ name }) => !isOwnHeader(name));
  return Object.fromEntries(allowed.map(({ name, value }) => [name.toLowerCase(), headerValue(value)]));
}

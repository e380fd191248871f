/** `insecure`: the page came over plain HTTP, where browsers withhold their decoders. `browser`: this one has none. */
export type PlayerSupport = 'ok' | 'insecure' | 'browser';

/** Whether this page can show video at all. */
export function playerSupport(scope: Window & typeof globalThis = window): PlayerSupport {
  if (!scope.isSecureContext) return 'insecure';
  const hasAll = 'VideoDecoder' in scope && 'OffscreenCanvas' in scope && 'Worker' in scope;
  return hasAll ? 'ok' : 'browser';
}

import { describe, expect, it } from 'vitest';
import { playerSupport } from '../../../../../shared/player/engine/support.ts';

const able = { isSecureContext: true, VideoDecoder: class {}, OffscreenCanvas: class {}, Worker: class {} };
const ask = (scope: object) => playerSupport(scope as Window & typeof globalThis);

describe('playerSupport', () => {
  it('is there in a secure page of a browser with decoders', () => {
    expect(ask(able)).toBe('ok');
  });

  it('blames plain HTTP before the browser: there the decoders are hidden, not missing', () => {
    expect(ask({ isSecureContext: false, Worker: class {} })).toBe('insecure');
  });

  it.each(['VideoDecoder', 'OffscreenCanvas', 'Worker'])('is missing in a browser without %s', (part) => {
    const scope: Record<string, unknown> = { ...able };
    delete scope[part];
    expect(ask(scope)).toBe('browser');
  });
});

import { describe, expect, it } from 'vitest';
import { undeclared } from '../../../support/browser/consoleNoise.ts';

const missing = {
  text: 'Failed to load resource: the server responded with a status of 404 (Not Found)',
  url: 'http://127.0.0.1:8080/api/device/device?deviceid=x',
};
const refused = { text: 'Failed to load resource: net::ERR_CONNECTION_REFUSED', url: 'http://127.0.0.1:8080/healthz' };
const socket = {
  text: "WebSocket connection to 'ws://127.0.0.1:8080/stream/x' failed: Error during WebSocket handshake: Unexpected response code: 403",
  url: 'http://127.0.0.1:8080/workers/stream.worker.js',
};
const thrown = { text: 'TypeError: x is not a function', url: 'http://127.0.0.1:8080/live/x' };

describe('undeclared', () => {
  it('lets through what is declared by address and status', () => {
    const allowed = [
      { url: missing.url, status: 404 },
      { url: /\/healthz$/, status: 'failed' },
      { url: /^ws:.*\/stream\//, status: 403 },
    ] as const;
    expect(undeclared([missing, refused, socket], allowed)).toEqual([]);
  });

  it.each([
    ['another status', { url: missing.url, status: 500 }],
    ['another address', { url: 'http://127.0.0.1:8080/', status: 404 }],
    ['no answer instead of a status', { url: missing.url, status: 'failed' }],
  ] as const)('keeps what was declared with %s', (_difference, entry) => {
    expect(undeclared([missing], [entry])).toEqual([missing]);
  });

  it('keeps a script error, whatever is declared', () => {
    expect(undeclared([thrown], [{ url: /./, status: 'failed' }])).toEqual([thrown]);
  });
});

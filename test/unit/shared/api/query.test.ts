import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildWebSocketUrl, encodeQuery } from '../../../../shared/api/query.ts';

describe('queries (S-7.16)', () => {
  test('null and undefined values are skipped, false and 0 and empty text are not', () => {
    const values = { a: null, b: undefined, c: 0, d: false, e: '', f: 'x' };
    expect(encodeQuery(values)).toBe('?c=0&d=false&e=&f=x');
  });

  test('no value at all is no query', () => {
    expect(encodeQuery({ a: null })).toBe('');
    expect(encodeQuery(undefined)).toBe('');
  });

  test('separators, spaces and other scripts are encoded', () => {
    const query = encodeQuery({ deviceid: 'A&B=1', username: 'ü +/?' });
    expect(query).toBe('?deviceid=A%26B%3D1&username=%C3%BC%20%2B%2F%3F');
  });

  test('any text comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, value) => {
        const read = new URLSearchParams(encodeQuery({ [name]: value }));
        expect([...read.entries()]).toEqual([[name, value]]);
      }),
    );
  });
});

describe('WebSocket addresses (S-7.17)', () => {
  test.each([
    ['http:', '10.0.0.5:8080', 'ws://10.0.0.5:8080/stream/x?channel=1'],
    ['https:', 'fleet.example', 'wss://fleet.example/stream/x?channel=1'],
    ['https:', '[::1]:8443', 'wss://[::1]:8443/stream/x?channel=1'],
  ])('a page on %s//%s opens %s', (protocol, host, expected) => {
    expect(buildWebSocketUrl('/stream/x', { channel: 1, streamid: null }, { protocol, host })).toBe(expected);
  });
});

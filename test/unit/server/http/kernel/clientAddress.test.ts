import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from '../../../../../server/http/kernel/clientAddress.ts';

const requestOf = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('createClientAddress', () => {
  it.each<[string, readonly string[], string, string | undefined, string]>([
    ['without proxies, the socket', [], '203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['an IPv4 address on a socket for both', [], '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['what a trusted proxy says', ['loopback'], '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['not what a stranger says', ['10.0.0.0/8'], '203.0.113.1', '1.2.3.4', '203.0.113.1'],
    [
      'the first that is no proxy, from behind',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '1.2.3.4, 203.0.113.9, 10.9.9.9',
      '203.0.113.9',
    ],
    ['the furthest where all are trusted', ['uniquelocal'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['the proxy that says nothing', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['an IPv6 network', ['2001:db8::/32'], '2001:db8::7', '203.0.113.9', '203.0.113.9'],
  ])('gives %s', (_what, trusted, remote, forwarded, expected) => {
    expect(createClientAddress(trusted)(requestOf(remote, forwarded))).toBe(expected);
  });
});

import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressRule, isPublicAddress } from '../../../../../server/notify/senders/guard/publicAddress.ts';

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '3fff::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '100::1',
  'no address',
  '127.1',
  '',
];

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
  '2606:4700::1111',
  '2a00:1450::1',
];

describe('an address', () => {
  it.each(PRIVATE)('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it('is judged alike as IPv4 and as IPv6 that holds it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = isPublicAddress(address);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(expected);
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        expect(isPublicAddress(`2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`)).toBe(expected);
      }),
    );
  });

  it('is judged alike however IPv6 is written', () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(groups, (given) => {
        const full = given.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
        expect(isIPv6(short)).toBe(true);
        expect(isPublicAddress(short)).toBe(isPublicAddress(full.toUpperCase()));
      }),
    );
  });
});

describe('NOTIFY_NETWORKS', () => {
  it('opens what it names and nothing beside it', () => {
    const mayConnect = createAddressRule(['10.0.0.0/8', '192.168.1.7', 'fd00::/8', '::1']);
    for (const address of ['10.200.0.1', '::ffff:10.1.1.1', '192.168.1.7', 'fd00::5', '::1', '8.8.8.8', '11.0.0.1']) {
      expect(mayConnect(address), address).toBe(true);
    }
    for (const address of ['192.168.1.8', 'fc00::5', '::2', '127.0.0.1', '64:ff9b::10.1.1.1', 'x']) {
      expect(mayConnect(address), address).toBe(false);
    }
  });

  it('takes networks as Node.js takes them', () => {
    const network = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
    fc.assert(
      fc.property(network, fc.ipV4(), ([base, bits], address) => {
        const list = new BlockList();
        list.addSubnet(base, bits, 'ipv4');
        const isExpected = list.check(address) || isPublicAddress(address);
        expect(createAddressRule([`${base}/${bits}`])(address)).toBe(isExpected);
      }),
    );
  });
});

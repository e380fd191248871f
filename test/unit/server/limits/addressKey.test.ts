import { describe, expect, it } from 'vitest';
import { addressKey } from '../../../../server/limits/addressKey.ts';

describe('what counts as one address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('%s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

import { describe, expect, it } from 'vitest';
import { encodeUpgradeHead } from '../../../../server/device/jt808/codec/messages/terminal.ts';
import { ImagePackages, readImage } from '../../../../simulator/firmware/imagePackages.ts';

const piece = (number: number): Uint8Array => Uint8Array.of(number);

describe('ImagePackages', () => {
  it('puts packages together in whatever order they come', () => {
    const packages = new ImagePackages(0);
    const take = (number: number) => packages.take((0xffff + number - 1) & 0xffff, { total: 3, number }, piece(number));
    expect([take(2).kind, take(1).kind]).toEqual(['more', 'more']);
    expect(take(3)).toEqual({ kind: 'complete', body: Buffer.of(1, 2, 3) });
  });

  it('says how much of the coming image it has', () => {
    const packages = new ImagePackages(0);
    expect(packages.arrivedShare).toBe(0);
    const take = (number: number) => packages.take(number, { total: 4, number }, piece(number));
    take(1);
    expect(packages.arrivedShare).toBe(0.25);
    for (const number of [2, 3, 4]) take(number);
    expect(packages.arrivedShare).toBe(0);
  });

  it('asks for what it has forgotten when the last has come', () => {
    const packages = new ImagePackages(2);
    const take = (number: number) => packages.take(6 + number, { total: 5, number }, piece(number));
    for (const number of [1, 2, 3, 4]) expect(take(number).kind).toBe('more');
    expect(take(5)).toEqual({ kind: 'missing', firstSerial: 7, numbers: [2, 4] });
    expect(take(2).kind).toBe('more');
    expect(take(4)).toEqual({ kind: 'complete', body: Buffer.of(1, 2, 3, 4, 5) });
  });

  it('begins anew with a set that has other serials', () => {
    const packages = new ImagePackages(0);
    packages.take(0, { total: 2, number: 1 }, piece(1));
    expect(packages.take(9, { total: 2, number: 2 }, piece(2)).kind).toBe('missing');
    expect(packages.take(8, { total: 2, number: 1 }, piece(3))).toEqual({ kind: 'complete', body: Buffer.of(3, 2) });
  });
});

describe('an image', () => {
  it('is refused where it is shorter than it says', () => {
    const head = encodeUpgradeHead(
      { type: 0, manufacturer: 'A', version: '1', dataBytes: 3, manufacturerBytes: 5 },
      '2019',
    );
    expect(readImage(Buffer.concat([head, Uint8Array.of(1, 2, 3)]), 5)?.data).toEqual(Buffer.of(1, 2, 3));
    expect(readImage(Buffer.concat([head, Uint8Array.of(1, 2)]), 5)).toBeUndefined();
    expect(readImage(new Uint8Array(3), 5)).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { type DamageKind, PacketDamage } from '../../../simulator/packetDamage.ts';

const packets = Array.from({ length: 9 }, (_, index) => new Uint8Array(40).fill(index));
const through = (kind: DamageKind, seed = 1): Uint8Array[] => {
  const damage = new PacketDamage(kind, 3, seed);
  return packets.flatMap((packet) => damage.apply(packet));
};
const firstBytes = (arrived: readonly Uint8Array[]) => arrived.map((packet) => packet[0]);
const differingBits = (left: Uint8Array, right: Uint8Array): number =>
  left.reduce(
    (count, byte, at) => count + [...(byte ^ (right[at] ?? 0)).toString(2)].filter((bit) => bit === '1').length,
    0,
  );

it('sends every third packet twice', () => {
  expect(firstBytes(through('doubled'))).toEqual([0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8]);
});

it('loses every third packet', () => {
  expect(firstBytes(through('lost'))).toEqual([0, 1, 3, 4, 6, 7]);
});

it('lets every third packet be overtaken by the next, and loses none but one that is held at the end', () => {
  expect(firstBytes(through('reordered'))).toEqual([0, 1, 3, 2, 4, 5, 7, 6, 8]);
});

it('flips one bit of every third packet, and leaves the original as it is', () => {
  const arrived = through('flipped');
  expect(arrived.map((packet, index) => differingBits(packet, packets[index] ?? packet))).toEqual([
    0, 0, 1, 0, 0, 1, 0, 0, 1,
  ]);
  expect(packets.every((packet, index) => packet.every((byte) => byte === index))).toBe(true);
});

it('cuts every third packet short', () => {
  const lengths = through('truncated').map(({ length }) => length);
  expect(lengths.map((length) => length < 40)).toEqual([false, false, true, false, false, true, false, false, true]);
});

it('does the same damage again with the same seed, and other damage with another', () => {
  expect(through('flipped', 5)).toEqual(through('flipped', 5));
  expect(through('flipped', 5)).not.toEqual(through('flipped', 6));
});

import { expect, it } from 'vitest';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import type { VideoUnit } from '../../../../../workers/video/messages.ts';
import { SessionUnits } from '../../../../../workers/video/session/sessionUnits.ts';

function unitAt(place: number, key: boolean): VideoUnit {
  const times = { mediaTimeUs: mediaUs(place * 40_000), deviceTimeMs: wallMs(0) };
  const rest = { byteOffset: 0, byteLength: 0, discontinuity: false, unseen: false, ...times };
  return { codec: Codec.H264, key, dependence: key ? 'entry' : undefined, ...rest };
}

it('says at the key frame that it goes on at that something before it is missing, and nowhere else', () => {
  const units = new SessionUnits();
  for (let place = 0; place < 6; place++) {
    units.push({ kind: 'unit', unit: unitAt(place, place % 3 === 0), bytes: new Uint8Array() });
  }
  expect(units.dropBefore(() => false)).toEqual([]);
  expect(units.dropBefore((timeUs) => timeUs <= 4 * 40_000)).toEqual([0, 40_000, 80_000]);
  const taken = Array.from({ length: 3 }, () => units.takeUnit(() => true)?.unit);
  expect(taken.map((unit) => [unit?.key, unit?.discontinuity])).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
});

it('goes on at no key frame whose pictures need those before it, unless those are missing', () => {
  const units = new SessionUnits();
  const push = (place: number, fields: Partial<VideoUnit> = {}): void =>
    units.push({ kind: 'unit', unit: { ...unitAt(place, place % 3 === 0), ...fields }, bytes: new Uint8Array() });
  push(0);
  for (let place = 1; place < 6; place++) push(place, place === 3 ? { dependence: 'recovering' } : {});
  expect(units.dropBefore(() => true)).toEqual([]);
  push(6, { dependence: 'recovering', discontinuity: true });
  expect(units.dropBefore(() => true)).toHaveLength(6);
});

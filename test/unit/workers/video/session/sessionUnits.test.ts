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

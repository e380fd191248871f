import { expect, it } from 'vitest';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';
import { ProgressLog } from '../../../../workers/video/progressLog.ts';

it('counts a gap where a key frame tells of one, and none where the clock was set', () => {
  const log = new ProgressLog();
  const place = { byteOffset: 0, byteLength: 0, codec: Codec.H264, unseen: false };
  const unit = { ...place, mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(0) };
  for (const [key, discontinuity] of [
    [true, true],
    [false, false],
    [false, true],
    [true, false],
  ] as const) {
    log.unit(1, { ...unit, key, discontinuity }, true);
  }
  log.shown(1, 0, wallMs(0));
  expect(log.take(0)).toMatchObject([{ gaps: 1, skipped: 0, shown: 1 }]);
});

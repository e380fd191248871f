import { describe, expect, it } from 'vitest';
import { commandOf } from '../../../../../shared/player/tools/keys.ts';
import { nextLineState } from '../../../../../shared/player/tools/lineState.ts';
import { snapshotName } from '../../../../../shared/player/tools/snapshotFile.ts';
import { type StatisticsReading, statisticsText } from '../../../../../shared/player/tools/statistics.ts';
import { interrupted, OFF, pressed, released } from '../../../../../shared/player/tools/talk/pressToTalk.ts';
import { Codec } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

describe('the name of a snapshot', () => {
  const at = new Date(2026, 10, 1, 7, 5, 9).getTime();

  it('is of device, channel and time', () => {
    expect(snapshotName({ deviceid: 'DEV1', channel: 12, atMs: at }, 'png')).toBe('DEV1_ch12_2026-11-01_07-05-09.png');
    expect(snapshotName({ deviceid: 'DEV1', channel: 1, atMs: at }, 'jpeg')).toMatch(/\.jpg$/);
  });

  it('holds nothing that a file system refuses', () => {
    expect(snapshotName({ deviceid: 'A:B\\C*d e', channel: 1, atMs: at }, 'png')).toMatch(/^A_B_C_d_e_ch1_/);
  });
});

describe('the keys of a tile', () => {
  const press = (key: string, extra = {}) =>
    commandOf({ key, ctrlKey: false, altKey: false, metaKey: false, ...extra });

  it('are the same in capitals, and none with Ctrl', () => {
    expect([press('m'), press('M'), press('Escape'), press('+'), press('0')]).toEqual([
      'sound',
      'sound',
      'back',
      'zoom-in',
      'zoom-reset',
    ]);
    expect(press('s', { ctrlKey: true })).toBeUndefined();
    expect(press('x')).toBeUndefined();
  });

  it('look where the arrow points', () => {
    expect(press('ArrowRight')).toBe('push-left');
  });
});

describe('the talk button', () => {
  it('speaks while it is held', () => {
    const held = pressed(OFF, 0);
    expect(held.kind).toBe('held');
    expect(released(held, 1_000)).toEqual(OFF);
  });

  it('speaks on after a short press, until the next', () => {
    const latched = released(pressed(OFF, 0), 100);
    expect(latched).toEqual({ kind: 'latched' });
    const off = pressed(latched, 5_000);
    expect([off, released(off, 5_100)]).toEqual([OFF, OFF]);
  });

  it('is silent when the hold is taken away, and lets a latched one be', () => {
    expect(interrupted(pressed(OFF, 0))).toEqual(OFF);
    expect(interrupted({ kind: 'latched' })).toEqual({ kind: 'latched' });
  });
});

describe('a line', () => {
  const opening = { kind: 'opening' } as const;

  it('is ready when it is held or open', () => {
    expect(nextLineState(opening, { type: 'control', event: { type: 'held' } })).toEqual({ kind: 'ready' });
    expect(nextLineState(opening, { type: 'control', event: { type: 'opened', sampleRate: 8_000 } })).toEqual({
      kind: 'ready',
    });
  });

  it('keeps the reason of its end', () => {
    const refused = nextLineState(opening, { type: 'event', event: { type: 'error', code: 'busy', message: 'm' } });
    expect(nextLineState(refused, { type: 'closed', code: 1000 })).toEqual({
      kind: 'refused',
      code: 'busy',
      message: 'm',
    });
    expect(nextLineState({ kind: 'ready' }, { type: 'closed', code: 1006 })).toEqual({ kind: 'lost' });
  });

  it('goes on when a command was not carried out', () => {
    const ready = { kind: 'ready' } as const;
    const failed = { type: 'failed', code: 'offline', message: '' } as const;
    expect(nextLineState(ready, { type: 'control', event: failed })).toBe(ready);
  });
});

describe('statistics', () => {
  const reading = (
    atMs: number,
    shown: number,
    bytes: number,
    more: Partial<StatisticsReading> = {},
  ): StatisticsReading => ({
    atMs,
    picture: { width: 1280, height: 720 },
    running: 'main',
    reconnects: 2,
    network: { streamId: 1, packets: 1, bytes, newestAgeMs: 0 },
    video: {
      streamId: 1,
      decoded: shown + 3,
      delayMs: 41.6,
      decodeMs: 2.6,
      shown,
      skipped: 4,
      gaps: 1,
      codec: Codec.H265,
      deviceTimeMs: wallMs(1_000_000),
      newestAgeMs: 20,
    },
    videoAtMs: 1_000_120,
    ...more,
  });

  it('are worked out from two readings', () => {
    expect(statisticsText(reading(3_000, 80, 500_000), reading(1_000, 30, 250_000))).toEqual({
      codec: 'H.265',
      size: '1280 × 720',
      framesPerSecond: '25.0',
      bitRate: '1.00 Mbit/s',
      delayMs: 42,
      decodeMs: 3,
      latency: { kind: 'age', ms: 100 },
      decoded: 83,
      dropped: 7,
      gaps: 1,
      reconnects: 2,
    });
  });

  it('say nothing of rates after one reading, or across a change of streams', () => {
    expect(statisticsText(reading(1, 80, 5), undefined).framesPerSecond).toBeUndefined();
    expect(statisticsText(reading(2_000, 3, 5), reading(1_000, 80, 500)).bitRate).toBeUndefined();
  });

  it('take an age that cannot be for clocks that differ', () => {
    const off = statisticsText(reading(1, 1, 1, { videoAtMs: 1_000_000 - 3_600_000 }), undefined);
    expect(off.latency).toEqual({ kind: 'clock', seconds: 3_600 });
    const video = reading(1, 1, 1).video;
    const unknown = reading(1, 1, 1, { video: video && { ...video, deviceTimeMs: wallMs(0) } });
    expect(statisticsText(unknown, undefined).latency).toBeUndefined();
  });
});

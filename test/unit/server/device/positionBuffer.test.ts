import { beforeEach, describe, expect, it } from 'vitest';
import { PositionBuffer } from '../../../../server/device/positionBuffer.ts';
import type { Position } from '../../../../server/store/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/manualTimers.ts';

const position = (latitude: number): Position => ({
  deviceId: 'BUS1',
  deviceTimeMs: wallMs(0),
  receivedAtMs: wallMs(0),
  latitude,
  longitude: 0,
  altitudeM: 0,
  speedKmh: 0,
  headingDeg: 0,
  alarmBits: 0,
  statusBits: 0,
  extra: {},
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('PositionBuffer', () => {
  let timers: ManualTimers;
  let written: number[][];
  let isDown: boolean;
  let faults: Error[];
  let buffer: PositionBuffer;

  beforeEach(() => {
    timers = new ManualTimers();
    written = [];
    isDown = false;
    faults = [];
    const append = async (batch: readonly Position[]): Promise<void> => {
      if (isDown) throw new Error('disk gone');
      written.push(batch.map(({ latitude }) => latitude));
    };
    buffer = new PositionBuffer({ store: { append }, after: timers.after, onFault: (error) => faults.push(error) });
  });

  it('writes what came within half a second at once', async () => {
    buffer.add(position(1));
    timers.advance(400);
    buffer.add(position(2));
    expect(written).toEqual([]);
    timers.advance(100);
    await settled();
    expect(written).toEqual([[1, 2]]);
    expect(timers.pending).toBe(0);
  });

  it('loses nothing in an orderly stop', async () => {
    buffer.add(position(1));
    await buffer.close();
    expect(written).toEqual([[1]]);
  });

  it('keeps what could not be written, in order, and says so', async () => {
    isDown = true;
    buffer.add(position(1));
    timers.advance(500);
    await settled();
    expect(faults.map(({ message }) => message)).toEqual(['1 positions could not be stored yet']);
    isDown = false;
    buffer.add(position(2));
    timers.advance(5_000);
    await settled();
    expect(written).toEqual([[1, 2]]);
  });
});

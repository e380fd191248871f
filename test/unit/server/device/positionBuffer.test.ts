import { beforeEach, describe, expect, it } from 'vitest';
import { PositionBuffer } from '../../../../server/device/positionBuffer.ts';
import type { Device } from '../../../../server/store/devices/devices.ts';
import type { Position } from '../../../../server/store/fleet/positions.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { aDevice } from '../../../support/aDevice.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const position = (latitude: number, deviceId = 'BUS1'): Position => ({
  deviceId,
  incarnation: 1,
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

const BROKEN = 99;
const DEVICE = aDevice();

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('PositionBuffer', () => {
  let timers: ManualTimers;
  let written: number[][];
  let attempts: number;
  let isDown: boolean;
  let isSlow: Promise<void>;
  let faults: Error[];
  let buffer: PositionBuffer;

  beforeEach(() => {
    timers = new ManualTimers();
    written = [];
    attempts = 0;
    isDown = false;
    isSlow = Promise.resolve();
    faults = [];
    const append = async (batch: readonly Position[]): Promise<void> => {
      attempts++;
      await isSlow;
      if (isDown) throw new Error('disk gone');
      if (batch.some(({ latitude, deviceId }) => deviceId !== 'BUS1' || latitude === BROKEN)) throw new Error('no');
      written.push(batch.map(({ latitude }) => latitude));
    };
    const findByDeviceId = async (deviceId: string): Promise<Device | undefined> => {
      if (isDown) throw new Error('disk gone');
      return deviceId === 'BUS1' ? DEVICE : undefined;
    };
    const onFault = (error: Error): unknown => faults.push(error);
    buffer = new PositionBuffer({ store: { append }, devices: { findByDeviceId }, runAfter: timers.runAfter, onFault });
  });

  it('writes what came within half a second at once', async () => {
    buffer.add([position(1)]);
    timers.advance(400);
    buffer.add([position(2)]);
    expect(written).toEqual([]);
    timers.advance(100);
    await settled();
    expect(written).toEqual([[1, 2]]);
    expect(timers.pending).toBe(0);
  });

  it('tells how many wait, and since when, until they are written', async () => {
    expect([buffer.waitingCount, buffer.waitingSinceMs]).toEqual([0, undefined]);
    isDown = true;
    buffer.add([{ ...position(1), receivedAtMs: wallMs(7) }]);
    buffer.add([position(2)]);
    expect([buffer.waitingCount, buffer.waitingSinceMs]).toEqual([2, 7]);
    timers.advance(500);
    buffer.add([position(3)]);
    expect([buffer.waitingCount, buffer.waitingSinceMs]).toEqual([3, 7]);
    await settled();
    expect([buffer.waitingCount, buffer.waitingSinceMs]).toEqual([3, 7]);
    isDown = false;
    timers.advance(5_000);
    await settled();
    expect([buffer.waitingCount, buffer.waitingSinceMs]).toEqual([0, undefined]);
  });

  it('loses nothing in an orderly stop', async () => {
    buffer.add([position(1)]);
    await buffer.close();
    expect(written).toEqual([[1]]);
  });

  it('keeps what could not be written, in order, and says so', async () => {
    isDown = true;
    buffer.add([position(1)]);
    timers.advance(500);
    await settled();
    expect(faults.map(({ message }) => message)).toEqual(['1 positions could not be stored yet']);
    isDown = false;
    buffer.add([position(2)]);
    timers.advance(5_000);
    await settled();
    expect(written).toEqual([[1, 2]]);
  });

  it('drops what belongs to a device that was deleted, and keeps the rest in order at the cost of a few attempts', async () => {
    for (let latitude = 0; latitude < 64; latitude++)
      buffer.add([position(latitude, latitude === 40 ? 'GONE' : 'BUS1')]);
    timers.advance(500);
    await settled();
    expect(written.flat()).toEqual(Array.from({ length: 64 }, (_, latitude) => latitude).filter((each) => each !== 40));
    expect(attempts).toBeLessThan(16);
    expect(faults).toEqual([]);
    expect(timers.pending).toBe(0);
  });

  it('writes one batch at a time while the database is slow, and then the rest in order', async () => {
    let write = (): void => undefined;
    isSlow = new Promise<void>((resolve) => {
      write = resolve;
    });
    buffer.add([position(1)]);
    for (const latitude of [2, 3]) {
      timers.advance(500);
      buffer.add([position(latitude)]);
    }
    timers.advance(500);
    await settled();
    expect(attempts).toBe(1);
    write();
    await settled();
    timers.advance(500);
    await settled();
    expect(written).toEqual([[1], [2, 3]]);
  });

  it("has no room for what one device sends beyond its share, and keeps the others' and all that it took", async () => {
    isDown = true;
    const flood = position(7);
    let taken = 0;
    while (buffer.add([flood, flood])) taken += 2;
    expect(taken).toBe(36_000);
    expect(buffer.add([position(8, 'BUS2')])).toBe(true);
    await buffer.close();
    expect(faults.at(-1)?.message).toContain('36001 positions were lost at shutdown');
  });

  it('takes all of a batch or none of it, and again when the database has taken some', async () => {
    isDown = true;
    const batch = (count: number): Position[] =>
      Array.from({ length: count }, (_, latitude) => position(latitude % 90));
    expect(buffer.add(batch(35_999))).toBe(true);
    expect(buffer.add(batch(2))).toBe(false);
    expect(buffer.add(batch(1))).toBe(true);
    isDown = false;
    timers.advance(500);
    await settled();
    expect(written.flat()).toHaveLength(36_000);
    expect(buffer.add(batch(2))).toBe(true);
  });

  it('refuses what there is no room for in all, and drops nothing that it took', async () => {
    isDown = true;
    const some = (device: number): Position[] => Array.from({ length: 36_000 }, () => position(1, `BUS${device}`));
    for (let device = 0; device < 10; device++) expect(buffer.add(some(device))).toBe(true);
    expect(buffer.add([position(1, 'BUS10')])).toBe(false);
    await buffer.close();
    expect(faults.at(-1)?.message).toContain('360000 positions were lost');
  });

  it('gives up a row that the database does not take, after three attempts, and says so', async () => {
    for (const latitude of [1, BROKEN, 2]) buffer.add([position(latitude)]);
    for (let round = 0; round < 3; round++) {
      timers.advance(5_000);
      await settled();
    }
    expect(written.flat()).toEqual([1, 2]);
    expect(faults.map(({ message }) => message)).toEqual(['a position of BUS1 cannot be stored']);
    expect(timers.pending).toBe(0);
  });

  it('leaves no timer behind when the database is away at the end, and says what is lost', async () => {
    isDown = true;
    buffer.add([position(1)]);
    await buffer.close();
    expect(timers.pending).toBe(0);
    expect(faults.at(-1)?.message).toContain('1 positions were lost');
  });
});

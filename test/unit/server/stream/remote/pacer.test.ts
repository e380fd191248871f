import { describe, expect, it } from 'vitest';
import { createHubPacket, type HubPacket, timesOf } from '../../../../../server/media/hubPacket.ts';
import { type PacedPacket, Pacer, WAITING_BYTES_LIMIT } from '../../../../../server/stream/remote/pacer.ts';
import { Codec, PacketKind, readPacket } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const START = wallMs(Date.UTC(2026, 10, 20, 14));

function setUp() {
  const timers = new ManualTimers();
  const released: {
    readonly atMs: number;
    readonly position: number;
    readonly shownMs: number;
    readonly unseen: boolean;
  }[] = [];
  const held: boolean[] = [];
  const viewer = { isBlocked: false, drained: 0 };
  const pacer = new Pacer(START, {
    now: timers.now,
    runAfter: timers.runAfter,
    release: ({ packet, position }) => {
      const read = readPacket(packet.bytes);
      released.push({
        atMs: timers.now(),
        position: position - START,
        shownMs: timesOf(packet).mediaTimeUs / 1_000,
        unseen: read.kind === 'packet' && read.packet.unseen,
      });
    },
    isBlocked: () => viewer.isBlocked,
    hold: (isHeld) => held.push(isHeld),
    drained: () => viewer.drained++,
  });
  const push = (offsetMs: number, bytes = 10) => pacer.push(pacedPacket(offsetMs, bytes));
  const positions = () => released.map(({ position }) => position);
  const unseen = () => released.filter(({ unseen: isUnseen }) => isUnseen).map(({ position }) => position);
  return { timers, released, held, viewer, pacer, push, positions, unseen };
}

function pacedPacket(offsetMs: number, bytes: number): PacedPacket {
  const mediaTimeUs = mediaUs(1_000_000_000 + offsetMs * 1_000);
  const header = { kind: PacketKind.Video, codec: Codec.H264, key: true, discontinuity: false } as const;
  const packet: HubPacket = createHubPacket({ ...header, mediaTimeUs, deviceTimeMs: wallMs(0) }, new Uint8Array(bytes));
  return { packet, mediaTimeUs, position: wallMs(START + offsetMs) };
}

describe('packets of a recording', () => {
  it('go out at the distance at which they were recorded, however they come', () => {
    const { timers, released, pacer, push } = setUp();
    pacer.run();
    for (let offset = 0; offset < 400; offset += 40) push(offset);
    timers.advance(1_000);
    expect(released.map(({ atMs }) => atMs)).toEqual([0, 40, 80, 120, 160, 200, 240, 280, 320, 360]);
    const shown = released.map(({ shownMs }) => shownMs - (released[0]?.shownMs ?? 0));
    expect(shown).toEqual([0, 40, 80, 120, 160, 200, 240, 280, 320, 360]);
  });

  it('before the place that was asked for go out at once, not to be shown', () => {
    const { timers, positions, unseen, pacer, push } = setUp();
    pacer.run();
    for (const offset of [-2_000, -1_000, -40, 0, 40]) push(offset);
    expect(positions()).toEqual([-2_000, -1_000, -40, 0]);
    timers.advance(40);
    expect(positions().at(-1)).toBe(40);
    expect(unseen()).toEqual([-2_000, -1_000, -40]);
  });

  it('before the place that was asked for are shown when the terminal keeps to the pace all the way', () => {
    const { timers, positions, unseen, pacer, push } = setUp();
    pacer.run();
    push(-8_000);
    timers.advance(1_999);
    push(-6_001);
    timers.advance(1);
    push(-6_000);
    expect(positions()).toEqual([-8_000, -6_001, -6_000]);
    expect(unseen()).toEqual([-8_000, -6_001]);
  });

  it.each([
    [0.25, 160],
    [2, 20],
    [4, 10],
  ])('go out at a speed of %d each %d ms', (speed, everyMs) => {
    const { timers, released, pacer, push } = setUp();
    pacer.setSpeed(speed);
    pacer.run();
    for (let offset = 0; offset < 200; offset += 40) push(offset);
    timers.advance(10_000);
    expect(released.map(({ atMs }) => atMs)).toEqual([0, 1, 2, 3, 4].map((index) => index * everyMs));
  });

  it('that come late move those behind them, and none is hurried', () => {
    const { timers, released, pacer, push } = setUp();
    pacer.run();
    push(0);
    timers.advance(2_000);
    push(40);
    push(80);
    timers.advance(100);
    expect(released.map(({ atMs }) => atMs)).toEqual([0, 2_000, 2_040]);
  });

  it('wait while it is stopped, and while the viewer takes no more', () => {
    const { timers, positions, viewer, pacer, push } = setUp();
    push(0);
    timers.advance(1_000);
    expect(positions()).toEqual([]);
    viewer.isBlocked = true;
    pacer.run();
    timers.advance(1_000);
    expect(positions()).toEqual([]);
    viewer.isBlocked = false;
    timers.advance(20);
    expect(positions()).toEqual([0]);
  });

  it('are held where they come from when too many wait, until half have gone', () => {
    const { timers, held, pacer, push } = setUp();
    pacer.run();
    const bytes = WAITING_BYTES_LIMIT.max / 8;
    for (let index = 0; index < 10; index++) push(index * 40, bytes);
    expect(held).toEqual([true]);
    timers.advance(120);
    expect(held).toEqual([true]);
    timers.advance(400);
    expect(held).toEqual([true, false]);
  });

  it('of a place that was left are forgotten; of the new one, while paused, one is shown', () => {
    const { timers, positions, viewer, pacer, push } = setUp();
    pacer.run();
    push(0);
    push(40);
    pacer.jumpTo(wallMs(START + 10_000), true);
    for (const offset of [8_000, 9_960, 10_000, 10_040]) push(offset);
    timers.advance(5_000);
    expect(positions()).toEqual([0, 8_000, 9_960, 10_000]);
    pacer.run();
    timers.advance(5_000);
    expect(positions().at(-1)).toBe(10_040);
    expect(viewer.drained).toBeGreaterThan(0);
  });

  it('leave no timer behind when it is closed', () => {
    const { timers, pacer, push } = setUp();
    pacer.run();
    for (const offset of [0, 40, 80]) push(offset);
    expect(timers.pending).toBe(1);
    pacer.close();
    expect(timers.pending).toBe(0);
    expect(pacer.isEmpty).toBe(true);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { RemoteFailure, RemoteListener, RemoteOrder } from '../../../../../server/device/playback/remoteSource.ts';
import { createHubPacket, type HubPacket } from '../../../../../server/media/hubPacket.ts';
import type { AttemptEnd } from '../../../../../server/sync/engine/afterAttempt.ts';
import { fetchByPlayback, PLAYBACK_BYTES_LIMIT } from '../../../../../server/sync/engine/attempts/playbackAttempt.ts';
import type { IngestOutcome, LastGroup } from '../../../../../server/sync/ingest/ingest.ts';
import { Codec, PacketKind } from '../../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { anAttempt, FROM_MS, TO_MS } from '../../../../support/sync/anAttempt.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const MINUTE_MS = 60_000;

function pictureAt(deviceTimeMs: number, key: boolean): HubPacket {
  const times = { mediaTimeUs: mediaUs(deviceTimeMs * 1_000), deviceTimeMs: wallMs(deviceTimeMs) };
  const header = { kind: PacketKind.Video, codec: Codec.H264, key, discontinuity: false, ...times };
  return createHubPacket(header, new Uint8Array(10));
}

describe('a recording that a device plays to be fetched (S-2.4.8)', () => {
  let timers: ManualTimers;
  let listener: RemoteListener | undefined;
  let order: RemoteOrder | undefined;
  let failure: RemoteFailure | undefined;
  let fastest: number;
  let speeds: number[];
  /** Settles when a device that is slow to answer answers. */
  let answered: Promise<void>;
  let answer: () => void;
  let holds: boolean[];
  let isClosed: boolean;
  let stored: HubPacket[];
  let lastGroup: LastGroup | undefined;
  let isFull: boolean;
  let drain: () => void;
  let limits: string[];
  let outcome: IngestOutcome;
  beforeEach(() => {
    timers = new ManualTimers();
    [listener, order, failure] = [undefined, undefined, undefined];
    [fastest, isClosed, isFull] = [0, false, false];
    [speeds, holds, stored, limits] = [[], [], [], []];
    answered = Promise.resolve();
    lastGroup = undefined;
    outcome = { kind: 'stored', addedMs: 7_000, bytes: 9 };
  });

  function begin(isSlow = true) {
    const scene = anAttempt();
    const end = fetchByPlayback(scene.attempt, isSlow, {
      source: {
        open: async (wanted, heard) => {
          order = wanted;
          if (failure !== undefined) return { ok: false, code: failure };
          listener = heard;
          return {
            ok: true,
            feed: {
              recordedEnd: undefined,
              play: async () => true,
              pause: async () => true,
              seek: async () => true,
              fastForward: async (speed) => {
                speeds.push(speed);
                await answered;
                return speed <= fastest;
              },
              hold: (isHeld) => void holds.push(isHeld),
              close: () => {
                isClosed = true;
              },
            },
          };
        },
      },
      ingest: {
        stream: () => ({
          packet: (packet) => {
            stored.push(packet);
            return !isFull;
          },
          drained: () =>
            new Promise((resolve) => {
              drain = resolve;
            }),
          end: async (last) => {
            lastGroup = last;
            return outcome;
          },
        }),
      },
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
      onLimit: ({ name }) => void limits.push(name),
    });
    return { ...scene, end };
  }

  async function begun(isSlow = true) {
    const scene = begin(isSlow);
    const asked = isSlow ? 0 : 1;
    await waitFor('the device plays', () => scene.states.length === 1 && speeds.length >= asked);
    return scene;
  }

  /** A key frame and some other pictures for each second. */
  function play(fromMs: number, seconds: number, isWhole = true): void {
    for (let second = 0; second < seconds; second++) {
      listener?.packet(pictureAt(fromMs + second * 1_000, true));
      if (isWhole) for (const part of [250, 500]) listener?.packet(pictureAt(fromMs + second * 1_000 + part, false));
    }
  }

  it('is asked for in the device time and kept as it comes', async () => {
    const { end, states, received } = await begun();
    expect(order).toEqual({ deviceId: 'BUS1', channel: 1, quality: 'sub', start: FROM_MS, end: TO_MS, use: 'sync' });
    play(TO_MS - 20_000, 20);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'stored' });
    expect(stored).toHaveLength(60);
    expect(received).toHaveLength(60);
    expect(states).toEqual(['running', 'checking']);
    expect(speeds).toEqual([]);
    expect(lastGroup).toBe('whole');
    expect([isClosed, timers.pending]).toEqual([true, 0]);
  });

  it.each<[RemoteFailure, AttemptEnd]>([
    ['nothing-recorded', { kind: 'nothing-there' }],
    ['device-refused', { kind: 'unusable', fault: 'refused' }],
    ['device-no-answer', { kind: 'failed', fault: 'no-answer', addedMs: 0 }],
    ['device-offline', { kind: 'failed', fault: 'disconnected', addedMs: 0 }],
  ])('ends at once where the device says %s', async (code, expected) => {
    failure = code;
    expect(await begin().end).toEqual(expected);
  });

  it('is played at the highest speed that the device takes, and nothing of it is lost meanwhile', async () => {
    fastest = 4;
    const { end } = await begun(false);
    await waitFor('a speed is found', () => speeds.length === 3);
    expect(speeds).toEqual([16, 8, 4]);
    play(TO_MS - 20_000, 20);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'stored' });
    expect(stored).toHaveLength(60);
  });

  it('is not kept where the device leaves pictures out at a higher speed', async () => {
    fastest = 16;
    const { end } = await begun(false);
    await waitFor('it plays fast', () => speeds.length === 1);
    await Promise.resolve();
    play(FROM_MS, 10, false);
    expect(await end).toEqual({ kind: 'too-fast' });
    expect(stored).toEqual([]);
    expect(isClosed).toBe(true);
  });

  it('is not kept where the recording is too short to tell by four groups', async () => {
    fastest = 16;
    const { end } = await begun(false);
    await Promise.resolve();
    play(TO_MS - 3_000, 3, false);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'too-fast' });
    expect(stored).toEqual([]);
  });

  it('is not kept where pictures are faster than the answer to the command', async () => {
    fastest = 16;
    answered = new Promise((resolve) => {
      answer = resolve;
    });
    const { end } = await begun(false);
    play(TO_MS - 6_000, 6, false);
    listener?.ended('terminal');
    answer();
    expect(await end).toEqual({ kind: 'too-fast' });
    expect(stored).toEqual([]);
  });

  it('keeps what was on its way at normal speed, and no key frame that comes alone behind it, however late that is', async () => {
    fastest = 16;
    const { end } = await begun(false);
    await Promise.resolve();
    // The pictures are read long after the answer, from what sockets hold.
    play(FROM_MS, 200);
    play(FROM_MS + 200_000, 4, false);
    expect(await end).toEqual({ kind: 'too-fast' });
    expect(stored).toHaveLength(600);
    // The last group may have been cut off when the speed changed.
    expect(lastGroup).toBe('cut-off');
  });

  it('keeps a recording of key frames alone where the device takes no other speed', async () => {
    answered = new Promise((resolve) => {
      answer = resolve;
    });
    const { end } = await begun(false);
    play(TO_MS - 20_000, 3, false);
    answer();
    await waitFor('no speed is left', () => stored.length === 3);
    expect(speeds).toEqual([16, 8, 4, 2]);
    play(TO_MS - 17_000, 17, false);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'stored' });
    expect(stored).toHaveLength(20);
  });

  it('is fetched again where so much waited for the disk that the rest was left out', async () => {
    outcome = { kind: 'failed', fault: 'incomplete', addedMs: 3_000 };
    const { end } = await begun();
    play(TO_MS - 2_000, 2);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'failed', fault: 'incomplete', addedMs: 3_000 });
  });

  it('is kept where a short one came whole at a higher speed', async () => {
    fastest = 16;
    const { end } = await begun(false);
    await Promise.resolve();
    play(TO_MS - 3_000, 3);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'stored' });
    expect(stored).toHaveLength(9);
  });

  it.each<['terminal' | 'offline', AttemptEnd]>([
    ['terminal', { kind: 'failed', fault: 'incomplete', addedMs: 7_000 }],
    ['offline', { kind: 'failed', fault: 'disconnected', addedMs: 7_000 }],
  ])('keeps what has come where it ends early: %s', async (reason, expected) => {
    const { end } = await begun();
    play(FROM_MS, 5);
    listener?.ended(reason);
    expect(await end).toEqual(expected);
    // What is left of it is fetched later.
    expect(lastGroup).toBe('cut-off');
  });

  it('ends after a minute of silence, unless it is held', async () => {
    outcome = { kind: 'stored', addedMs: 0, bytes: 0 };
    const { end, hold } = await begun();
    hold.set('bandwidth', true);
    timers.advance(10 * MINUTE_MS);
    hold.set('bandwidth', false);
    expect(holds).toEqual([true, false]);
    timers.advance(MINUTE_MS);
    timers.advance(MINUTE_MS);
    expect(await end).toEqual({ kind: 'failed', fault: 'nothing-sent', addedMs: 0 });
  });

  it('ends where the device plays on behind what was asked for, also where nothing is recorded at the end of it', async () => {
    const { end } = await begun();
    play(FROM_MS, 5);
    play(TO_MS + 6_000, 60);
    expect(await end).toEqual({ kind: 'stored' });
    expect(stored).toHaveLength(15);
    expect([isClosed, lastGroup, timers.pending]).toEqual([true, 'whole', 0]);
  });

  it('ends where the device begins anew, and keeps nothing twice', async () => {
    const { end } = await begun();
    play(TO_MS - 20_000, 20);
    play(TO_MS - 20_000, 20);
    expect(await end).toEqual({ kind: 'stored' });
    expect(stored).toHaveLength(60);
  });

  it('ends after two hours, or four gibibytes, of pictures that come to no end', async () => {
    const long = await begun();
    for (let minute = 0; minute < 120; minute++) {
      listener?.packet(pictureAt(FROM_MS, false));
      timers.advance(MINUTE_MS);
    }
    expect(await long.end).toEqual({ kind: 'failed', fault: 'incomplete', addedMs: 7_000 });
    const large = await begun();
    const bytes = { byteLength: PLAYBACK_BYTES_LIMIT.max } as Uint8Array<ArrayBuffer>;
    listener?.packet({ ...pictureAt(FROM_MS, false), bytes, isVideo: true, isKey: false });
    expect(await large.end).toEqual({ kind: 'failed', fault: 'too-large', addedMs: 7_000 });
    expect([limits, timers.pending]).toEqual([[PLAYBACK_BYTES_LIMIT.name], 0]);
  });

  it('makes the device wait for the disk', async () => {
    const { end, hold } = await begun();
    isFull = true;
    play(TO_MS - 2_000, 2);
    expect(hold.has('writing')).toBe(true);
    expect(holds).toEqual([true]);
    drain();
    await waitFor('it goes on', () => holds.length === 2);
    expect(holds).toEqual([true, false]);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'stored' });
  });

  it('says why nothing could be added', async () => {
    outcome = { kind: 'failed', fault: 'disk-full' };
    const { end } = await begun();
    play(TO_MS - 2_000, 2);
    listener?.ended('terminal');
    expect(await end).toEqual({ kind: 'failed', fault: 'disk-full', addedMs: 0 });
  });

  it('stops where the engine ends it', async () => {
    const { end, stop } = await begun();
    play(FROM_MS, 2);
    stop();
    expect(await end).toEqual({ kind: 'stopped' });
    expect([isClosed, stored.length, timers.pending]).toEqual([true, 6, 0]);
    expect(lastGroup).toBe('cut-off');
  });

  it('lets go of the card at once where the engine ends it, even while the device owes an answer', async () => {
    let answer: () => void = () => undefined;
    answered = new Promise((resolve) => {
      answer = resolve;
    });
    const { end, stop } = await begun(false);
    expect(isClosed).toBe(false);
    stop();
    expect(isClosed).toBe(true);
    answer();
    expect(await end).toEqual({ kind: 'stopped' });
    expect(speeds).toEqual([16]);
  });
});

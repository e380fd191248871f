// How the limit of what a device may play to be fetched is reached.
import { expect } from 'vitest';
import type { RemoteListener } from '../../../../server/device/playback/remoteSource.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { createHubPacket } from '../../../../server/media/hubPacket.ts';
import { fetchByPlayback, PLAYBACK_BYTES_LIMIT } from '../../../../server/sync/engine/attempts/playbackAttempt.ts';
import { Codec, PACKET_HEADER_BYTES, PacketKind } from '../../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { anAttempt, FROM_MS } from '../../../support/sync/anAttempt.ts';
import type { LimitCase } from '../describeLimits.ts';

const PARTS = 1_024;
const PART_BYTES = PLAYBACK_BYTES_LIMIT.max / PARTS;

function packetOf(bytes: number) {
  const times = { mediaTimeUs: mediaUs(0), deviceTimeMs: wallMs(FROM_MS) };
  const header = { kind: PacketKind.Video, codec: Codec.H264, key: false, discontinuity: false, ...times };
  return createHubPacket(header, new Uint8Array(bytes - PACKET_HEADER_BYTES));
}

/** A playback that sends so many bytes, and ends. */
async function play(bytes: number, onLimit: OnLimit) {
  const timers = new ManualTimers();
  const send = (listener: RemoteListener): void => {
    const part = packetOf(PART_BYTES);
    for (let at = 1; at < PARTS; at++) listener.packet(part);
    listener.packet(packetOf(bytes - (PARTS - 1) * PART_BYTES));
    listener.ended('terminal');
  };
  return fetchByPlayback(anAttempt().attempt, true, {
    source: {
      open: async (_order, listener) => {
        send(listener);
        const [yes, nothing] = [async () => true, () => undefined];
        const acts = { play: yes, pause: yes, seek: yes, fastForward: yes, hold: nothing, close: nothing };
        return { ok: true, feed: { recordedEnd: undefined, ...acts } };
      },
    },
    ingest: {
      stream: () => ({
        packet: () => true,
        drained: async () => undefined,
        end: async () => ({ kind: 'stored', addedMs: 1, bytes: 1 }),
      }),
    },
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
    onLimit,
  });
}

export const playbackBytesCase: LimitCase = {
  limit: PLAYBACK_BYTES_LIMIT,
  open: (onLimit) => ({
    upTo: async () =>
      expect(await play(PLAYBACK_BYTES_LIMIT.max - 1, onLimit)).toMatchObject({ fault: 'incomplete', addedMs: 1 }),
    beyond: async () =>
      expect(await play(PLAYBACK_BYTES_LIMIT.max, onLimit)).toMatchObject({ fault: 'too-large', addedMs: 1 }),
  }),
};

// From a seek to its first picture: a hundred random ones in a day of a 50 kbit/s channel, over a WebSocket on loopback.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { GopReader } from '../../../server/recording/playback/gopReader.ts';
import { PlaybackSessions } from '../../../server/recording/playback/playbackSessions.ts';
import { localPlaybackRoute } from '../../../server/stream/playback/localPlaybackSocket.ts';
import { PacketKind, readMessage } from '../../../shared/protocol/stream/streamPacket.ts';
import { FRAMES_PER_SECOND, LOOP_FRAMES } from '../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { openRecordingScene, type RecordingScene } from '../../server/recording/playback/scene.ts';
import { recordChannel } from '../../support/media/recordedDay.ts';
import { percentile, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const HOURS = 24;
const SEEKS = 100;
const TARGET_BITS_PER_SECOND = 50_000;
const START = Date.UTC(2026, 2, 1);
const TRACK = { archiveId: 'bench', channel: 1 } as const;

export async function benchSeek(): Promise<Row[]> {
  const scene = await openRecordingScene();
  try {
    const clip = await thinClip();
    const spans = [{ fromMs: START, toMs: START + HOURS * 3_600_000 }];
    await recordChannel(scene, { ...TRACK, clip, spans });
    const { bytes } = await scene.segments.totals();
    const delays = await measure(scene);
    return [
      {
        'kbit/s': Math.round((bytes * 8) / (HOURS * 3_600) / 1000),
        hours: HOURS,
        seeks: delays.length,
        'p50 ms': rounded(percentile(delays, 0.5)),
        'p95 ms': rounded(percentile(delays, 0.95)),
      },
    ];
  } finally {
    await scene.close();
  }
}

/** A clip of as few bytes as the channel is to have: pictures keep their number and their place. */
async function thinClip(): Promise<Clip> {
  const clip = await loadDemoClip('rear');
  const meanBytes = clip.frames.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / LOOP_FRAMES;
  const share = TARGET_BITS_PER_SECOND / 8 / FRAMES_PER_SECOND / meanBytes;
  const frames = clip.frames.map((frame) => ({ ...frame, bytes: frame.bytes.subarray(0, frame.bytes.length * share) }));
  return { ...clip, frames };
}

async function measure({ gopReader }: RecordingScene): Promise<number[]> {
  const { port, close } = await serve(gopReader);
  const query = new URLSearchParams({ deviceid: TRACK.archiveId, channel: '1', spbtime: String(START / 1000) });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/?${query}`);
  socket.binaryType = 'arraybuffer';
  await once(socket, 'open');
  const delays: number[] = [];
  for (let seek = 0; seek < SEEKS; seek++) {
    const positionMs = START + Math.floor(Math.random() * (HOURS * 3_600_000 - 60_000));
    const atMs = performance.now();
    socket.send(JSON.stringify({ type: 'seek', positionMs }));
    await pictureOf(socket, positionMs);
    delays.push(performance.now() - atMs);
  }
  socket.terminate();
  await close();
  return delays;
}

/** The first picture of the seek: a key frame at most a group before the position. */
function pictureOf(socket: WebSocket, positionMs: number): Promise<void> {
  return new Promise((resolve) => {
    const listen = (data: ArrayBuffer): void => {
      const { packets } = readMessage(new Uint8Array(data));
      const isThere = packets.some(({ kind, key, discontinuity, mediaTimeUs }) => {
        const beforeMs = positionMs - mediaTimeUs / 1000;
        return kind === PacketKind.Video && key && discontinuity && beforeMs >= 0 && beforeMs <= 10_000;
      });
      if (!isThere) return;
      socket.off('message', listen);
      resolve();
    };
    socket.on('message', listen);
  });
}

async function serve(gopReader: GopReader): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const sessions = new PlaybackSessions({
    gopReader,
    now: () => performance.now(),
    wallNow: Date.now,
    runAfter: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onFault: (error) => {
      throw error;
    },
  });
  const route = localPlaybackRoute(sessions);
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer();
  server.on('upgrade', (request, connection, head) => {
    sockets.handleUpgrade(request, connection, head, (socket) => {
      const url = new URL(request.url ?? '/', 'http://bench');
      route.parse(url.searchParams)?.serve(socket, connection, { ok: true, archiveId: TRACK.archiveId });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      sessions.close();
      for (const client of sockets.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

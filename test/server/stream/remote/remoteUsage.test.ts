// What playback of a device's card counts as.
import { afterEach, expect, it } from 'vitest';
import type { NetflowKind } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { HOUR, type RemoteScene, startRemoteScene } from './remoteScene.ts';

let scene: RemoteScene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

it('S-2.4.9 counts what data sync fetches from the card as data sync alone', async () => {
  const received = new Map<NetflowKind, number>();
  scene = await startRemoteScene({
    meter: {
      note: (_incarnation, kind, { receivedBytes }) => {
        received.set(kind, (received.get(kind) ?? 0) + receivedBytes);
      },
    },
  });
  let packets = 0;
  const opened = await scene.gateway.playback.open(
    { deviceId: 'BUS1', channel: 1, quality: 'main', start: HOUR, end: wallMs(HOUR + 60_000), use: 'sync' },
    { packet: () => packets++, ended: () => undefined },
    new AbortController().signal,
  );
  if (!opened.ok) throw new Error(opened.code);
  await waitFor('packets of the card', () => packets > 0);
  opened.feed.close();
  await scene.close();
  await waitFor('data sync is counted', () => (received.get('sync') ?? 0) > 0);
  expect([received.get('playback'), received.get('live')]).toEqual([undefined, undefined]);
});

it('S-2.4.9 counts what the card sends as playback, and none of it as live video', async () => {
  const received = new Map<NetflowKind, number>();
  scene = await startRemoteScene({
    meter: {
      note: (_incarnation, kind, { receivedBytes }) => {
        received.set(kind, (received.get(kind) ?? 0) + receivedBytes);
      },
    },
  });
  expect((await scene.play()).ok).toBe(true);
  const watching = scene.watch();
  await waitFor('pictures of the card', () => watching.packets.length > 0);
  // The sockets are read each second, and when they close.
  await scene.close();
  await waitFor('playback is counted', () => (received.get('playback') ?? 0) > 0);
  expect(received.get('live') ?? 0).toBe(0);
  expect(received.get('recording') ?? 0).toBe(0);
});

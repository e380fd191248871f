// What playback of a device's card counts as.
import { afterEach, expect, it } from 'vitest';
import type { NetflowKind } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { type RemoteScene, startRemoteScene } from './remoteScene.ts';

let scene: RemoteScene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
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

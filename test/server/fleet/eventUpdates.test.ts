// Events on open pages of a running gateway, from the terminal's socket to the page's.
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { LiveUpdate } from '../../../shared/protocol/api/liveUpdates.ts';
import { waitFor } from '../../support/waitFor.ts';
import { type EvidenceScene, type SessionHeaders, startEvidenceScene } from '../events/evidence/evidenceScene.ts';

type Told = Extract<LiveUpdate, { readonly type: 'events' }>;

function open(scene: EvidenceScene, headers: SessionHeaders) {
  const socket = new WebSocket(`${scene.gateway.address.replace('http', 'ws')}/api/live/updates`, { headers });
  onTestFinished(() => socket.terminate());
  const messages: LiveUpdate[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as LiveUpdate));
  socket.on('error', () => undefined);
  socket.on('open', () => socket.send('{"type":"watch","topics":["counts","events","eventcounts"]}'));
  const told = (): Told[] => messages.filter((message) => message.type === 'events');
  return {
    messages,
    rows: () => told().flatMap((message) => ('events' in message ? message.events : [])),
    reloads: () => told().filter((message) => 'reload' in message).length,
    counts: () =>
      messages.flatMap((message) =>
        (message.type === 'snapshot' || message.type === 'changes') && message.eventCounts !== undefined
          ? [message.eventCounts]
          : [],
      ),
  };
}

it('an alarm, and what members do about it, is told to those who see the device and may work with events', async () => {
  const scene = await startEvidenceScene();
  const ann = await scene.session('ann', ['event'], true);
  const pages = {
    ann: open(scene, ann),
    stranger: open(scene, await scene.session('sue', ['event'], false)),
    driver: open(scene, await scene.session('dan', ['report'], true)),
  };
  await waitFor('all pages are told how things are', () =>
    Object.values(pages).every(({ messages }) => messages.length > 0),
  );
  await waitFor('her list can be loaded', () => pages.ann.reloads() > 0);
  const { eventId } = await scene.alarm(await scene.signIn());
  await waitFor('the row', () => pages.ann.rows().some(({ id }) => id === eventId));
  expect(pages.ann.rows()[0]).toMatchObject({ id: eventId, type: 'emergency', status: 'new', deviceid: 'BUS1' });
  await waitFor('the count', () => pages.ann.counts().at(-1)?.unacknowledged.critical === 1);
  const { version } = pages.ann.rows().at(-1) ?? { version: 0 };
  const answer = await fetch(`${ann.origin}/api/event/act`, {
    method: 'POST',
    headers: { ...ann, 'content-type': 'application/json' },
    body: JSON.stringify({ act: 'acknowledge', events: [{ id: eventId, version }] }),
  });
  expect(answer.status).toBe(200);
  await waitFor('the act', () => pages.ann.rows().at(-1)?.status === 'acknowledged');
  await waitFor('the count', () => pages.ann.counts().at(-1)?.unacknowledged.critical === 0);
  expect(pages.ann.counts().at(-1)?.open.critical).toBe(1);
  // The gateway's own start is for administrators.
  expect(pages.ann.rows().every(({ deviceid }) => deviceid === 'BUS1')).toBe(true);
  expect(pages.stranger.rows()).toEqual([]);
  expect(pages.stranger.counts().every(({ open: { critical } }) => critical === 0)).toBe(true);
  expect(pages.driver.messages.filter(({ type }) => type === 'events')).toEqual([]);
  expect(pages.driver.counts()).toEqual([]);
});

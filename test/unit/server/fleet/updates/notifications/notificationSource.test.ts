import { expect, it } from 'vitest';
import { NotificationSource } from '../../../../../../server/fleet/updates/notifications/notificationSource.ts';
import type { Topics } from '../../../../../../server/fleet/updates/topicSource.ts';
import type { LoggedMessage } from '../../../../../../server/store/notify/outbox/messageList.ts';
import { ManualTimers } from '../../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../../support/fakes/noFaults.ts';

const TOPICS: Topics = new Set(['notifications']);

it('messages that changed are told to the pages of their member group that may read them', async () => {
  const timers = new ManualTimers();
  const rows = [
    { memberGroup: 7, message: { id: 1 } },
    { memberGroup: 8, message: { id: 2 } },
  ] as unknown as readonly LoggedMessage[];
  const source = new NotificationSource({
    now: timers.now,
    runAfter: timers.runAfter,
    firstRevision: 1,
    store: {
      rowsOf: async (ids) => rows.filter(({ message }) => ids.includes(message.id)),
      idsOf: async (keys) => keys.map(Number),
    },
    onFault: noFaults,
  });
  const feed = source.open({ memberGroup: 7, deviceGroups: new Set() });
  const told: unknown[] = [];
  source.onDue(() => {
    const changes = feed.takeChanges();
    for (const topics of [TOPICS, new Set<never>()]) {
      const bytes = changes(topics);
      told.push(bytes === undefined ? undefined : JSON.parse(new TextDecoder().decode(bytes)));
    }
  });
  source.changed([1, 2]);
  timers.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  const tellsOfOne = { type: 'notifications', revision: expect.any(Number), messages: [{ id: 1 }] };
  expect(told).toEqual([tellsOfOne, undefined]);

  source.added(['1']);
  await new Promise((resolve) => setImmediate(resolve));
  timers.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(told.slice(2)).toEqual([tellsOfOne, undefined]);
});

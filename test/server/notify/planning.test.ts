import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventWriter } from '../../../server/events/engine/eventWriter.ts';
import { NotifyPlanner } from '../../../server/notify/rules/notifyPlanner.ts';
import { NotifySettings } from '../../../server/notify/rules/notifySettings.ts';
import { ManualTimers } from '../../support/fakes/manualTimers.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';
import { newTrackedEvent } from '../../support/newTrackedEvent.ts';
import { aRuleContent, aStep } from '../../support/notify/notifyFacts.ts';
import { NOW_MS, type NotifyStoreScene, openNotifyScene } from '../store/notify/notifyScene.ts';

const MINUTE_MS = 60_000;

describe('from a rule to the messages of an event', () => {
  let scene: NotifyStoreScene;
  beforeAll(async () => {
    scene = await openNotifyScene('sqlite');
  });
  afterAll(() => scene.database.close());

  it('S-2.4.13 the event is stored with a message to each recipient of each step, and its answer cancels them', async () => {
    const { stores, memberGroup, archiveNumber, ann, database } = scene;
    const sender = await addSender(scene);
    await database.db.updateTable('app_user').set({ email: 'ann@example.com' }).where('id', '=', ann).execute();
    const deliveries = [{ sender, template: 0 }];
    const steps = [
      aStep({ deliveries, members: [ann] }),
      aStep({ deliveries, afterMinutes: 10, addresses: ['boss@example.com'] }),
    ];
    await stores.notifyRules.insert({ memberGroup }, { content: aRuleContent({ steps }), by: 'Ann', atMs: NOW_MS });
    const timers = new ManualTimers();
    const common = { now: () => NOW_MS, runAfter: timers.runAfter, onFault: noFaults, onLimit: () => undefined };
    const settings = new NotifySettings({
      ...common,
      rules: stores.notifyRules,
      members: stores.notifyMembers,
      senders: stores.notifySenderNames,
      places: stores.notifyPlaces,
    });
    await settings.start();
    const woken: (readonly number[])[] = [];
    const planner = new NotifyPlanner({
      ...common,
      settings,
      told: stores.notifyTold,
      isFailing: () => false,
      onMessages: (messages) => woken.push(messages.map((message) => message.sender)),
    });
    await planner.start();
    const writer = new EventWriter({ ...common, store: stores.eventLog, planner, onStored: () => undefined });
    const device = { deviceId: 'BUS1', incarnation: 1, archiveNumber };
    const event = newTrackedEvent({ device, beginAtMs: NOW_MS });
    writer.add([{ kind: 'begun', event }]);
    await writer.close();
    const rows = await database.db.selectFrom('notify_message').selectAll().orderBy('id').execute();
    expect(rows).toMatchObject([
      { event_id: event.id, step: 1, user_id: ann, recipient: 'Ann', due_at_ms: NOW_MS, device_id: 'BUS1' },
      { event_id: event.id, step: 2, address: 'boss@example.com', due_at_ms: NOW_MS + 10 * MINUTE_MS },
    ]);
    expect(woken).toEqual([[sender, sender]]);
    const { canceled } = await scene.answer(event.id ?? 0);
    expect(canceled).toHaveLength(2);
    await planner.close();
    await settings.close();
  });
});

async function addSender({ database }: NotifyStoreScene): Promise<number> {
  const row = { name: 'Mail', kind: 0, enabled: 1, per_minute: 0, settings: '{}', secret: '' };
  return (await database.db.insertInto('notify_sender').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

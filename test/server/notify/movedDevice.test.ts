// A device that moves to another member group while messages wait: its events are no longer the business of those who were to be told.
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MessageComposer } from '../../../server/notify/templates/messageComposer.ts';
import { Wordings } from '../../../server/notify/templates/wordings.ts';
import { NOW_MS, type NotifyStoreScene, openNotifyScene } from '../store/notify/notifyScene.ts';

const DUE_MS = NOW_MS + 60_000;
const DIGEST = { kind: 'webhook', digestKey: 'digest', dueAtMs: DUE_MS } as const;
const SERVICE = { to: 'service' } as const;

describe('a message about a device that has moved to another member group', () => {
  let scene: NotifyStoreScene;
  let composer: MessageComposer;
  beforeEach(async () => {
    scene = await openNotifyScene('sqlite');
    const { stores } = scene;
    const localesRoot = join(import.meta.dirname, '../../../public/locales');
    composer = new MessageComposer({
      stores,
      wordings: new Wordings({ eventTypes: stores.eventTypes, localesRoot, now: () => NOW_MS }),
      ruleZone: () => '',
      readPicture: async () => undefined,
      siteTitle: async () => '',
      publicUrl: '',
      now: () => NOW_MS,
      onLimit: () => undefined,
    });
  });
  afterEach(() => scene.database.close());

  const compose = async () => {
    const due = await scene.stores.notifyQueue.due(1, DUE_MS, 10);
    return Promise.all(due.map((message) => composer.compose(message, SERVICE)));
  };

  it('is canceled, and so is a digest', async () => {
    await scene.tell([{ kind: 'webhook' }, DIGEST]);
    const body = expect.stringContaining('BUS1');
    expect(await compose()).toMatchObject([{ body }, { body }]);
    await scene.stores.memberGroups.setDeviceGroups(scene.memberGroup, []);
    expect(await compose()).toEqual([{ cancel: 'event-gone' }, { cancel: 'event-gone' }]);
  });

  it('a digest tells of the others', async () => {
    const { stores, memberGroup } = scene;
    const other = await stores.deviceGroups.insert('South');
    const truck = await stores.devices.insert({ deviceId: 'TRUCK1', name: 'Truck', chn: 1, deviceGroup: other });
    await stores.memberGroups.setDeviceGroups(memberGroup, [scene.deviceGroup, other]);
    const [, second = 0] = await scene.tell([DIGEST], [DIGEST]);
    const moved = scene.database.db.updateTable('event').set({ archive_number: truck.archiveNumber });
    await moved.where('id', '=', second).execute();
    expect(await compose()).toMatchObject([{ body: expect.stringContaining('Truck') }]);
    await stores.memberGroups.setDeviceGroups(memberGroup, [scene.deviceGroup]);
    expect(await compose()).toMatchObject([{ body: expect.not.stringContaining('Truck') }]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DryRun, Explained } from '../../../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { aPlannedMessage } from '../../../../support/plannedMessage.ts';
import { anEvent } from '../../../store/events/anEvent.ts';
import { createNotifyRuleScene, type NotifyRuleScene, type Username } from './notifyRuleScene.ts';

const MINUTE_MS = 60_000;
let scene: NotifyRuleScene;
beforeEach(async () => {
  scene = await createNotifyRuleScene();
});
afterEach(() => scene.test.close());

const explain = (event: number, as?: Username) =>
  scene.ask<Explained>('POST', '/api/eventnotify/explain', { event }, as);

describe('which rules tell of an event', () => {
  it('S-2.4.13 says of each rule of the group what it misses, and of those that match who is told when', async () => {
    const matching = await scene.add({ name: 'Matching' });
    const other = await scene.add({ name: 'Other', types: ['idling'], enabled: false });
    const nobody = await scene.add({
      name: 'Nobody',
      steps: scene.content().steps.map((step) => ({ ...step, members: [scene.users.lister] })),
    });
    const [id = 0] = await scene.addEvents({});
    const beginAtMs = scene.test.clock.now;
    const mail = { step: 1, sender: scene.senders.mail, senderName: 'Mail', kind: 'email' };
    expect(await explain(id)).toEqual({
      status: 200,
      code: undefined,
      data: [
        {
          rule: matching.id,
          name: 'Matching',
          misses: [],
          recipients: [{ ...mail, recipient: 'north', atMs: beginAtMs, note: 'none' }],
        },
        { rule: other.id, name: 'Other', misses: ['disabled', 'other-type'], recipients: [] },
        {
          rule: nobody.id,
          name: 'Nobody',
          misses: ['no-recipient'],
          recipients: [{ ...mail, recipient: 'lister', atMs: 0, note: 'no-address' }],
        },
      ],
    });
    expect(scene.test.changed).toEqual(['notifyrule', 'notifyrule', 'notifyrule']);
  });

  it('goes by the interval as it was', async () => {
    const { id: rule } = await scene.add({ intervalMinutes: 10 });
    const { memberGroup, archiveNumber } = scene.north;
    const atMs = scene.test.clock.now;
    const message = aPlannedMessage({ rule, memberGroup, archiveNumber, createdAtMs: atMs - 5 * MINUTE_MS });
    await scene.test.stores.eventLog.write({
      added: [anEvent({ archiveNumber, beginAtMs: atMs - 5 * MINUTE_MS })],
      changed: [],
      days: [],
      messages: [{ event: 0, message, joinsFromMs: 0 }],
    });
    const [within = 0, beyond = 0, ofOther = 0] = await scene.addEvents(
      {},
      { beginAtMs: atMs + 5 * MINUTE_MS },
      { type: 'idling' },
    );
    expect((await explain(within)).data).toMatchObject([{ misses: ['interval'] }]);
    expect((await explain(beyond)).data).toMatchObject([{ misses: [] }]);
    expect((await explain(ofOther)).data).toMatchObject([{ misses: [] }]);
  });

  it('goes by how late it was heard of', async () => {
    await scene.add();
    const { now } = scene.test.clock;
    const late = (minutes: number) => {
      const beginAtMs = now - minutes * MINUTE_MS;
      return { isLate: true, beginAtMs, deviceTimeMs: beginAtMs };
    };
    const [soon = 0, old = 0, unknown = 0] = await scene.addEvents(late(15), late(16), late(5));
    const device = await scene.test.stores.fleet.archives();
    const incarnation = device.find(({ deviceId }) => deviceId === 'BUS1')?.incarnation ?? 0;
    await scene.test.stores.positions.append(
      [15, 16].map((minutes) => ({
        deviceId: 'BUS1',
        incarnation,
        deviceTimeMs: wallMs(now - minutes * MINUTE_MS),
        receivedAtMs: now,
        latitude: 0,
        longitude: 0,
        altitudeM: 0,
        speedKmh: 0,
        headingDeg: 0,
        alarmBits: 0,
        statusBits: 0,
        extra: {},
      })),
    );
    expect((await explain(soon)).data).toMatchObject([{ misses: [], recipients: [{ atMs: now }] }]);
    expect((await explain(old)).data).toMatchObject([{ misses: ['too-late'] }]);
    expect((await explain(unknown)).data).toMatchObject([{ misses: ['too-late'] }]);
  });

  it('an event that the caller does not see is not there', async () => {
    const [id = 0] = await scene.addEvents({});
    expect(await explain(id, 'south')).toMatchObject({ status: 404, code: 'no-such-event' });
    expect(await explain(9_999)).toMatchObject({ status: 404 });
  });

  it('events of the gateway itself are told by rules that cover it', async () => {
    await scene.add({ coversGateway: true });
    await scene.add();
    const [id = 0] = await scene.addEvents({ archiveNumber: 0, type: 'disk-full' });
    expect((await explain(id)).data).toMatchObject([
      { misses: [], recipients: [{ recipient: 'north', note: 'none' }] },
      { misses: ['other-device'] },
    ]);
  });
});

describe('what a rule would have sent', () => {
  it('counts messages of the last days for a rule that is not stored, and changes nothing', async () => {
    await scene.addEvents({ beginAtMs: scene.test.clock.now - 1 }, { archiveNumber: scene.south.archiveNumber });
    const { status, data } = await scene.ask<DryRun>('POST', '/api/eventnotify/dryrun', { rule: scene.content() });
    expect({ status, days: data.days.length }).toEqual({ status: 200, days: 7 });
    expect(data).toMatchObject({ events: 1, isCut: false });
    expect(data.days.map(({ messages }) => messages)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(await scene.test.stores.notifyRules.all()).toEqual([]);
    expect(scene.test.changed).toEqual([]);
  });
});

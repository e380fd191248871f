// Events and geofences of a backup are saved without a request: their contents are held to what a request would have been.
import { beforeEach, expect, it } from 'vitest';
import { REASONS_LIMIT } from '../../../../server/store/events/eventReasons.ts';
import { aFenceContent } from '../../../support/aFence.ts';
import { anyEventType, anyReason } from '../../../support/anyEventType.ts';
import { fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { createPartsScene, failures, type PartsScene } from './partsScene.ts';

let scene: PartsScene;
beforeEach(async () => {
  scene = await createPartsScene();
});

async function imported(parts: readonly string[]): Promise<readonly string[]> {
  return failures(await scene.apply(await scene.plan(parts)));
}

it('are told of and written down once for each record', async () => {
  await fillFleet(scene.archived);
  const { test, north } = scene;
  expect(await imported(['devices', 'fences', 'events'])).toEqual([]);
  const told = test.changed.filter((kind) => ['eventtype', 'eventrule', 'fence'].includes(kind));
  expect(told).toEqual(['fence', 'eventtype', 'eventtype', 'eventrule', 'eventrule', 'eventrule']);
  expect(test.fenceChanges).toEqual([north]);
  const entries = (await test.stores.audit.list({ limit: 50 })).reverse();
  const own = entries.filter(({ action }) => /^(fence|event)/.test(action));
  expect(own.map(({ action, target, actor, address }) => [action, target, actor, address])).toEqual([
    ['fence.add', 'Depot', 'root', '127.0.0.1'],
    ['eventtype.add', 'Tail lift', 'root', '127.0.0.1'],
    ['eventreason.add', 'Driver called', 'root', '127.0.0.1'],
    ['eventrule.change', 'Speeding', 'root', '127.0.0.1'],
    ['eventrule.change', 'Tail lift', 'root', '127.0.0.1'],
    ['eventrule.change', 'Speeding', 'root', '127.0.0.1'],
  ]);
});

it('are refused beyond the bounds of a request', async () => {
  const { archived } = scene;
  const { eventReasons, eventTypes, eventRules, fences, memberGroups } = archived;
  const own = (code: string) => ({ code, isBuiltIn: false });
  await eventReasons.add({ ...anyReason({ nameEn: 'n'.repeat(61) }), ...own('custom-1') });
  await eventReasons.add({ ...anyReason({ nameZh: 'a\u0000b' }), ...own('custom-2') });
  await eventTypes.add({ ...anyEventType({ color: 'red' }), ...own('custom-3') });
  const scope = { kind: 'installation' } as const;
  await scene.test.stores.eventTypes.add({ ...anyEventType({ nameEn: 'Hoist' }), ...own('custom-4') });
  await eventTypes.add({ ...anyEventType({ nameEn: 'Hoist' }), ...own('custom-5') });
  await eventRules.put({ type: 'custom-5', scope, settings: { eventsAnHour: 0 }, version: 0 });
  const north = await memberGroups.insert({ name: 'North' });
  const content = aFenceContent({ color: 'red' });
  await fences.insert(north, { content, by: 'amy', atMs: 1 });
  expect(await imported(['fences', 'events'])).toEqual([
    'fence Depot: bad-request',
    'event-type Ramp down: bad-request',
    `event-reason ${'n'.repeat(61)}: bad-request`,
    'event-reason Wash bay: bad-text',
    'event-rule Hoist: bad-request',
  ]);
});

it('are refused with the fault of a field, or the code that a call would answer', async () => {
  const { archived, test } = scene;
  await archived.eventReasons.add({ ...anyReason({ nameEn: 'Sensor fault' }), code: 'custom-1', isBuiltIn: false });
  const north = await archived.memberGroups.insert({ name: 'North' });
  const content = aFenceContent({ timeZone: 'Mars/Olympus' });
  await archived.fences.insert(north, { content, by: 'amy', atMs: 1 });
  expect(await imported(['fences', 'events'])).toEqual(['fence Depot: unknown', 'event-reason Sensor fault: taken']);
  const codes = Array.from({ length: REASONS_LIMIT.max }, (_, index) => `custom-a${index}`);
  await test.stores.eventReasons.addMissing(
    codes.map((code) => ({ ...anyReason({ nameEn: code }), code, isBuiltIn: false })),
  );
  await archived.eventReasons.add({ ...anyReason(), code: 'custom-2', isBuiltIn: false });
  expect(await imported(['events'])).toEqual([
    'event-reason Sensor fault: taken',
    'event-reason Wash bay: too-many-reasons',
  ]);
});

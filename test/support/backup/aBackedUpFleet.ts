// A record of each kind that can be imported from a backup, and what they refer to.

import { fromFields } from '../../../server/devices/deviceFields.ts';
import { builtInReasonRows, builtInRows } from '../../../server/events/types/builtInRows.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { BLANK_DEVICE } from '../../../shared/protocol/api/devices.ts';
import type { EventTypeContent } from '../../../shared/protocol/api/eventTypes.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aFenceContent } from '../aFence.ts';
import { MAIL_SETTINGS } from '../notify/aSenderRecord.ts';

export const FLEET_TIME = wallMs(1_790_000_000_000);
export const DISPATCHER = 'Dispatcher';

const names = { nameZh: '', nameJp: '' };

const TAIL_LIFT: EventTypeContent = {
  ...{ nameEn: 'Tail lift', ...names, category: 'device', severity: 'minor', color: '', icon: 'flag', sound: 'none' },
  ...{ needsAcknowledgment: false, clipBeforeS: 0, clipAfterS: 0, snapshotChannels: [], enabled: true },
  source: {
    kind: 'position-item',
    itemId: 225,
    match: { offset: 0, width: 1, mask: 1, value: 1 },
    form: 'held',
  } as EventTypeContent['source'],
};

export interface BackedUpFleet {
  readonly north: number;
  readonly south: number;
  readonly buses: number;
}

export async function fillFleet(stores: Stores): Promise<BackedUpFleet> {
  const north = await stores.memberGroups.insert({ name: 'North', retentionDays: 30 });
  const south = await stores.memberGroups.insert({ name: 'South' });
  const buses = await addGroup(stores, 'Buses', undefined, north);
  const line = await addGroup(stores, 'Line 1/2', buses, north);
  await addGroup(stores, 'Trucks', undefined, south);
  await addDevice(stores, 'BUS1', buses, '013800000001');
  await addDevice(stores, 'BUS2', line, '');
  await fillAccounts(stores, north);
  const content = aFenceContent({ name: 'Depot', deviceGroups: [buses], devices: ['BUS1'] });
  await stores.fences.insert(north, { content, by: 'amy', atMs: FLEET_TIME });
  await fillEvents(stores, line);
  await fillMessages(stores);
  return { north, south, buses };
}

async function addGroup(stores: Stores, name: string, parent: number | undefined, owner: number): Promise<number> {
  const added = await stores.deviceTree.add({ name, parent, among: [] }, owner);
  if (!added.ok) throw new Error(added.reason);
  return added.group.serialno;
}

async function addDevice(stores: Stores, deviceId: string, group: number, terminal: string): Promise<void> {
  const fields = { ...BLANK_DEVICE, name: `Bus ${deviceId}`, chn: 4, group, terminal };
  const added = await stores.deviceRecords.insert({ ...fromFields(fields), deviceId }, [], FLEET_TIME);
  if (!added.ok) throw new Error(added.reason);
}

async function fillAccounts({ roles, members }: Stores, group: number): Promise<void> {
  const role = { name: DISPATCHER, permissions: [Permission.Event, Permission.Report], secondFactorRequired: false };
  const added = await roles.insert(role);
  if (!added.ok) throw new Error(added.reason);
  const amy = {
    ...{ username: 'amy', passwordHash: 'a hash', permissions: [], role: added.value, displayName: 'Amy Chen' },
    ...{ language: 'zh-TW', timeZone: 'Asia/Taipei', email: 'amy@example.com' },
  };
  const member = await members.insert(amy, [group], FLEET_TIME);
  if (!member.ok) throw new Error(member.reason);
}

/** Adds the built-in records, as each gateway does at its start. */
export async function addBuiltIns({ eventTypes, eventReasons }: Stores): Promise<void> {
  await eventTypes.addMissing(builtInRows());
  await eventReasons.addMissing(builtInReasonRows());
}

async function fillEvents(stores: Stores, line: number): Promise<void> {
  await addBuiltIns(stores);
  const { eventTypes, eventReasons, eventRules } = stores;
  await eventTypes.add({ ...TAIL_LIFT, code: 'custom-1', isBuiltIn: false });
  const reason = { nameEn: 'Driver called', ...names, isFalseAlarm: false, enabled: true };
  await eventReasons.add({ ...reason, code: 'custom-2', isBuiltIn: false });
  const rules = [
    { type: 'speeding', scope: { kind: 'installation' }, settings: { threshold: 120 } },
    { type: 'custom-1', scope: { kind: 'group', deviceGroup: line }, settings: { popUp: true } },
    { type: 'speeding', scope: { kind: 'device', deviceId: 'BUS1' }, settings: { threshold: 110 } },
  ] as const;
  for (const rule of rules) await eventRules.put({ ...rule, version: 0 });
}

async function fillMessages({ notifyTemplates, notifySenders }: Stores): Promise<void> {
  const texts = { en: { subject: 'Alarm', body: 'Something has happened.' } };
  const change = { by: 'amy', atMs: FLEET_TIME };
  await notifyTemplates.add({ name: 'Short', kind: 'email', fallback: 'en', texts }, change);
  const mail = { name: 'Mail', kind: 'email', enabled: true, perMinute: 0, settings: MAIL_SETTINGS } as const;
  await notifySenders.insert(mail, () => 'sealed elsewhere');
}

// Device groups and devices of a backup.
import { GroupPlace } from '../../../../shared/protocol/api/deviceGroups.ts';
import { type DeviceFields, EditedDevice, NewDevice } from '../../../../shared/protocol/api/devices.ts';
import {
  canonicalTerminalText,
  deviceIdFault,
  faultsOfDevice,
  groupNameFault,
} from '../../../../shared/protocol/deviceRules.ts';
import type { DeviceRefusal } from '../../../devices/acts/devices.ts';
import { toFields } from '../../../devices/deviceFields.ts';
import { pathsOf } from '../../../devices/reach.ts';
import type { DeviceRecord } from '../../../store/devices/deviceRecordRows.ts';
import type { Outcome } from '../../../store/outcome.ts';
import { refusalOfDevice } from '../../devices/deviceSaving.ts';
import { refusalOfGroup } from '../../devices/groupRoutes.ts';
import {
  faultOf,
  type JudgeRecord,
  type PartFields,
  type PartKind,
  type PartReference,
  type PartStores,
  type PlanContext,
} from './partRecords.ts';
import { savedRecord } from './savedRecord.ts';

/** Paths of all groups that there are, whoever owns them. */
export async function groupPaths({ deviceGroups, deviceTree }: PartStores): Promise<ReadonlyMap<number, string>> {
  const [groups, parents] = await Promise.all([deviceGroups.list(), deviceTree.parents()]);
  return pathsOf(
    groups.map(({ serialno, name }) => ({ serialno, name, parent: parents.get(serialno), version: 0, owned: true })),
  );
}

export function groupReference(field: string, path: unknown, isAnywhere = false): PartReference[] {
  const name = String(path);
  return name === '' ? [] : [{ field, record: 'device-group', key: name, name, isAnywhere }];
}

/** A group's place is its key: a group elsewhere, or with another name, is another group. */
export const deviceGroupKind: PartKind = {
  record: 'device-group',
  part: 'devices',
  read: async (stores, memberGroup) => {
    const [paths, parents, visible] = await Promise.all([
      groupPaths(stores),
      stores.deviceTree.parents(),
      stores.deviceTree.visible(memberGroup),
    ]);
    const versions = new Map(visible.map(({ serialno, version }) => [serialno, version]));
    const names = new Map((await stores.deviceGroups.list()).map(({ serialno, name }) => [serialno, name]));
    const records = [...paths].map(([serialno, path]) => {
      const parent = parents.get(serialno);
      return {
        ...{ key: path, name: path, id: serialno, version: versions.get(serialno) ?? 0 },
        isReached: versions.has(serialno),
        fields: { name: names.get(serialno) ?? '', parent: parent === undefined ? '' : (paths.get(parent) ?? '') },
        depth: depthOf(serialno, parents),
      };
    });
    return records.toSorted((left, right) => left.depth - right.depth);
  },
  references: ({ parent }) => groupReference('parent', parent),
  judge: () => (wanted) => {
    const code = groupNameFault(String(wanted.fields.name));
    return code === undefined ? [] : [faultOf('name', code)];
  },
  save: async ({ fields: { name, parent } }, { actor, acts: { deviceGroups }, ids }) =>
    savedRecord(
      GroupPlace,
      { name, parent: parent === '' ? null : ids('device-group', String(parent)) },
      async (place) => {
        const added = await deviceGroups.add(actor, place);
        return added.ok ? { ok: true, value: { id: added.value.serialno } } : added;
      },
      refusalOfGroup,
    ),
};

/** Above a group, so that what others lie in comes first. */
function depthOf(serialno: number, parents: ReadonlyMap<number, number | undefined>): number {
  let depth = 0;
  for (let at = parents.get(serialno); at !== undefined; at = parents.get(at)) depth++;
  return depth;
}

export const deviceKind: PartKind = {
  record: 'device',
  part: 'devices',
  read: async (stores, memberGroup) => {
    const [devices, paths, visible] = await Promise.all([
      stores.deviceRecords.all(),
      groupPaths(stores),
      stores.deviceTree.visible(memberGroup),
    ]);
    const reached = new Set(visible.map(({ serialno }) => serialno));
    return devices.map((device) => {
      const { deviceId, deviceGroup, version } = device;
      const group = deviceGroup === undefined ? '' : (paths.get(deviceGroup) ?? '');
      return {
        ...{ key: deviceId, name: deviceId, id: deviceId, version },
        isReached: deviceGroup === undefined || reached.has(deviceGroup),
        fields: { ...toFields(device), group },
      };
    });
  },
  references: ({ group }) => groupReference('group', group),
  // Nobody but administrators would see a device that is taken out of its group.
  merge: (wanted, present) => ({ ...wanted, group: wanted.group === '' ? present.group : wanted.group }),
  judge: judgeDevices,
  save: async ({ record, fields, present }, { actor, acts: { devices }, ids }) => {
    const group = fields.group === '' ? null : ids('device-group', String(fields.group));
    const content = { ...fields, group };
    if (present === undefined) {
      const added = { ...content, deviceid: record.key };
      return savedRecord(
        NewDevice,
        added,
        async (device) => identified(await devices.add(actor, device)),
        refusalOfDevice,
      );
    }
    const { version } = present;
    return savedRecord(
      EditedDevice,
      { ...content, version },
      async ({ version: _, ...device }) => identified(await devices.change(actor, { id: record.key, version }, device)),
      refusalOfDevice,
    );
  },
};

function identified(done: Outcome<DeviceRecord, DeviceRefusal>): Outcome<{ readonly id: string }, DeviceRefusal> {
  return done.ok ? { ok: true, value: { id: done.value.deviceId } } : done;
}

function judgeDevices({ present, maxDevices }: PlanContext): JudgeRecord {
  const devices = present.get('device') ?? [];
  const holders = new Map(devices.map(({ key, fields }) => [terminalOf(fields), key]));
  let room = maxDevices === 0 ? Number.POSITIVE_INFINITY : maxDevices - devices.length;
  return ({ record, fields, present: known }) => {
    const faults = faultsOf(record.key, fields);
    const terminal = terminalOf(fields);
    const holder = terminal === '' ? undefined : holders.get(terminal);
    if (holder !== undefined && holder !== record.key) faults.push(faultOf('terminal', 'taken', terminal));
    if (known === undefined && fields.group === '') faults.push(faultOf('group', 'required'));
    if (faults.length > 0) return faults;
    if (known === undefined && room-- <= 0) return [faultOf('', 'licence-full', String(maxDevices))];
    if (terminal !== '') holders.set(terminal, record.key);
    return faults;
  };
}

function faultsOf(deviceId: string, fields: PartFields) {
  const idFault = deviceIdFault(deviceId);
  const wrong = faultsOfDevice({ ...(fields as unknown as DeviceFields), group: null });
  const faults = Object.entries(wrong).map(([field, code]) => faultOf(field, code));
  return idFault === undefined ? faults : [faultOf('deviceid', idFault, deviceId), ...faults];
}

function terminalOf({ terminal }: PartFields): string {
  const text = String(terminal);
  return text === '' ? '' : canonicalTerminalText(text);
}

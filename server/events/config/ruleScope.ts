// The installation, device group or device that settings are for, as far as a member reaches it.
import type { RuleScope as ScopeKind } from '../../../shared/protocol/api/eventConfig.ts';
import { canSee, type DeviceReach, reachOf } from '../../devices/reach.ts';
import type { ContentRefusal } from '../../records/recordActs.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { DeviceRecordStore } from '../../store/devices/deviceRecords.ts';
import type { DeviceTreeStore } from '../../store/devices/deviceTree.ts';
import type { EventRuleScope } from '../../store/events/rules/eventRules.ts';
import type { Outcome } from '../../store/outcome.ts';
import { isOfGateway } from './gatewayTypes.ts';
import { groupChain, INSTALLATION, type RulePlace } from './ruleLayers.ts';

export interface RuleScope {
  readonly scope: EventRuleScope;
  readonly place: RulePlace;
  readonly reach: DeviceReach;
}

/** `group` and `deviceId` go with their kinds. */
export interface RuleTarget {
  readonly kind: ScopeKind;
  readonly group: number | undefined;
  readonly deviceId: string | undefined;
}

export type ScopeRefusal = ContentRefusal | { readonly kind: 'no-group' } | { readonly kind: 'no-device' };

export interface ScopeStores {
  readonly deviceRecords: Pick<DeviceRecordStore, 'find'>;
  readonly deviceTree: Pick<DeviceTreeStore, 'visible' | 'parents'>;
}

export async function ruleScopeOf(
  stores: ScopeStores,
  memberGroup: number,
  { kind, group, deviceId }: RuleTarget,
): Promise<Outcome<RuleScope, ScopeRefusal>> {
  const reach = await reachOf(stores.deviceTree, memberGroup);
  switch (kind) {
    case 'installation':
      return { ok: true, value: { scope: { kind }, place: INSTALLATION, reach } };
    case 'group':
      return group === undefined ? missing('group') : ofGroup(stores, reach, group);
    case 'device':
      return deviceId === undefined ? missing('deviceid') : ofDevice(stores, reach, deviceId);
  }
}

function missing(field: string): Outcome<never, ScopeRefusal> {
  return { ok: false, reason: { kind: 'fields', fields: { [field]: 'required' } } };
}

async function ofGroup(
  { deviceTree }: ScopeStores,
  reach: DeviceReach,
  deviceGroup: number,
): Promise<Outcome<RuleScope, ScopeRefusal>> {
  if (!reach.ids.has(deviceGroup)) return { ok: false, reason: { kind: 'no-group' } };
  const groups = groupChain(await deviceTree.parents(), deviceGroup);
  return { ok: true, value: { scope: { kind: 'group', deviceGroup }, place: { groups }, reach } };
}

async function ofDevice(
  stores: ScopeStores,
  reach: DeviceReach,
  deviceId: string,
): Promise<Outcome<RuleScope, ScopeRefusal>> {
  const device = await seenDevice(stores, reach, deviceId);
  if (device === undefined) return { ok: false, reason: { kind: 'no-device' } };
  return {
    ok: true,
    value: { scope: { kind: 'device', deviceId }, place: await placeOfDevice(stores, device), reach },
  };
}

/** Undefined for a device that is not there, or that the member does not see. */
export async function seenDevice(
  { deviceRecords }: Pick<ScopeStores, 'deviceRecords'>,
  reach: DeviceReach,
  deviceId: string,
): Promise<DeviceRecord | undefined> {
  const device = await deviceRecords.find(deviceId);
  return device !== undefined && canSee(reach, device) ? device : undefined;
}

export async function placeOfDevice(
  { deviceTree }: Pick<ScopeStores, 'deviceTree'>,
  { deviceId, deviceGroup }: Pick<DeviceRecord, 'deviceId' | 'deviceGroup'>,
): Promise<RulePlace> {
  return { groups: groupChain(await deviceTree.parents(), deviceGroup), deviceId };
}

/** Whether the type has anything to configure in such a scope. */
export function belongsTo(scope: EventRuleScope, type: string): boolean {
  return scope.kind === 'installation' || !isOfGateway(type);
}

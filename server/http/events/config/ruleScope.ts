// Which installation, device group or device a call is about, as far as the caller reaches it.
import type { FastifyRequest } from 'fastify';
import type { RuleScopeQuery } from '../../../../shared/protocol/api/eventConfig.ts';
import { canSee, type DeviceReach } from '../../../devices/reach.ts';
import { groupChain, INSTALLATION, type RulePlace } from '../../../events/config/ruleLayers.ts';
import type { DeviceRecord } from '../../../store/devices/deviceRecordRows.ts';
import type { EventRuleScope } from '../../../store/events/rules/eventRules.ts';
import type { Stores } from '../../../store/stores.ts';
import { deviceReachOf, NO_GROUP } from '../../devices/scope.ts';
import { type Refusal, Refused, refusedFields } from '../../kernel/envelope.ts';

export interface RuleScope {
  readonly scope: EventRuleScope;
  readonly place: RulePlace;
  readonly reach: DeviceReach;
}

type ScopeStores = Pick<Stores, 'deviceRecords' | 'deviceTree'>;

export async function ruleScopeOf(
  deps: { readonly stores: ScopeStores },
  request: FastifyRequest,
  { scope, group, deviceid }: RuleScopeQuery,
): Promise<RuleScope | Refusal> {
  const reach = await deviceReachOf(deps, request);
  switch (scope) {
    case 'installation':
      return { scope: { kind: scope }, place: INSTALLATION, reach };
    case 'group':
      return group === undefined ? refusedFields({ group: 'required' }) : ofGroup(deps.stores, reach, Number(group));
    case 'device':
      return deviceid === undefined ? refusedFields({ deviceid: 'required' }) : ofDevice(deps.stores, reach, deviceid);
  }
}

async function ofGroup({ deviceTree }: ScopeStores, reach: DeviceReach, group: number): Promise<RuleScope | Refusal> {
  if (!reach.ids.has(group)) return NO_GROUP;
  const groups = groupChain(await deviceTree.parents(), group);
  return { scope: { kind: 'group', deviceGroup: group }, place: { groups }, reach };
}

async function ofDevice(stores: ScopeStores, reach: DeviceReach, deviceId: string): Promise<RuleScope | Refusal> {
  const device = await seenDevice(stores, reach, deviceId);
  if (device === undefined) return Refused.device;
  return { scope: { kind: 'device', deviceId }, place: await placeOfDevice(stores, device), reach };
}

/** Undefined for a device that is not there, or that the caller does not see. */
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

// Adding and changing a device: checked field by field, saved by version, reported to whom it concerns.
import type { FastifyReply } from 'fastify';
import type { DeviceRecording, RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import {
  BLANK_DEVICE,
  type DeviceDetail,
  type DeviceFields,
  type SentDeviceFields,
} from '../../../shared/protocol/api/devices.ts';
import { deviceIdFault, faultsOfDevice } from '../../../shared/protocol/deviceRules.ts';
import { withheldChannels } from '../../recording/channelStates.ts';
import type { AuditFields } from '../../store/audit/auditEntry.ts';
import type { DeviceRecord, NewDeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { OwnPolicies, RecordAnswer } from '../../store/devices/deviceRecords.ts';
import type { ScopedPolicy } from '../../store/recordings/recordingPolicies.ts';
import { conflictWith, type Refusal, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { auditFields } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { concernsTerminal, fromFields, toFields, toRow } from './rows.ts';
import { canSee, type DeviceReach } from './scope.ts';

const LICENSE_FULL: Refusal = {
  status: 409,
  code: 'licence-full',
  message: "You've reached the number of licensed devices. Remove devices that aren't needed, or extend the license.",
};

export interface NewSaving {
  readonly deviceId: string;
  readonly fields: SentDeviceFields;
  readonly recording?: DeviceRecording | undefined;
  readonly identity?: NewDeviceRecord['identity'] | undefined;
  readonly reach: DeviceReach;
}

export type SavingRefused =
  | Extract<RecordAnswer, { ok: false }>
  | { readonly ok: false; readonly reason: 'fields'; readonly fields: Readonly<Record<string, string>> };

export async function saveNew(deps: DeviceGroupDeps, saving: NewSaving): Promise<RecordAnswer | SavingRefused> {
  const { deviceId, recording, identity, reach } = saving;
  const fields: DeviceFields = { ...BLANK_DEVICE, ...saving.fields };
  const fault = deviceIdFault(deviceId);
  const faults = {
    ...(fault === undefined ? {} : { deviceid: fault }),
    ...faultsOf(fields, recording),
    ...(fields.group === null ? { group: 'required' } : {}),
    ...(fields.group !== null && !reach.ids.has(fields.group) ? { group: 'unknown' } : {}),
  };
  if (Object.keys(faults).length > 0) return { ok: false, reason: 'fields', fields: faults };
  const device = { ...fromFields(fields), deviceId, ...(identity === undefined ? {} : { identity }) };
  const maxDevices = await deps.serverInfo.maxDevices();
  return deps.stores.deviceRecords.insert(device, policiesOf(recording), deps.now(), maxDevices);
}

export interface OldSaving {
  readonly deviceId: string;
  readonly version: number;
  readonly fields: SentDeviceFields;
  readonly recording?: DeviceRecording | undefined;
  readonly reach: DeviceReach;
}

export type OldSaved =
  | {
      readonly ok: true;
      readonly record: DeviceRecord;
      /** For the audit. */
      readonly before: AuditFields;
      readonly after: AuditFields;
    }
  | SavingRefused;

export async function saveOld(deps: DeviceGroupDeps, saving: OldSaving): Promise<OldSaved> {
  const { deviceId, version, recording, reach } = saving;
  const { deviceRecords } = deps.stores;
  const before = await deviceRecords.find(deviceId);
  if (before === undefined || !canSee(reach, before)) return { ok: false, reason: 'gone' };
  const fields: DeviceFields = { ...toFields(before), ...saving.fields };
  const { group } = fields;
  const faults = {
    ...faultsOf(fields, recording),
    ...(group === null && before.deviceGroup !== undefined ? { group: 'required' } : {}),
    ...(group !== null && !reach.ids.has(group) ? { group: 'unknown' } : {}),
  };
  if (Object.keys(faults).length > 0) return { ok: false, reason: 'fields', fields: faults };
  const recordedBefore = await recordingOf(deps, deviceId);
  const own = recording === undefined ? undefined : policiesOf(recording);
  const change = { deviceId, version, fields: fromFields(fields) };
  if (version === before.version && change.fields.terminal !== before.terminal)
    await deps.terminals.dropOrders(deviceId);
  const answer = await deviceRecords.change(change, own, deps.now());
  if (!answer.ok) return answer;
  // Nothing of what the terminal before it said of itself holds for another one.
  if (before.terminal !== answer.record.terminal) deps.terminals.forget(deviceId);
  else if (concernsTerminal(before, answer.record)) deps.terminals.cut(deviceId);
  const asAudited = (record: DeviceRecord, own: DeviceRecording): AuditFields => ({
    ...auditFields(toFields(record), reach.groups),
    recording: own,
  });
  return {
    ...answer,
    before: asAudited(before, recordedBefore.own),
    after: asAudited(answer.record, recording ?? recordedBefore.own),
  };
}

export async function detailOf(deps: DeviceGroupDeps, record: DeviceRecord): Promise<DeviceDetail> {
  const { own, inherited } = await recordingOf(deps, record.deviceId);
  const withheld = withheldChannels(deps.recordingStates().get(record.deviceId));
  const recording = { recording: own, inherited, withheldChannels: withheld };
  return { ...toRow(record, deps.terminals), ...recording, identity: record.identity ?? null };
}

interface Recorded {
  readonly own: DeviceRecording;
  readonly inherited: RecordingPolicy;
}

async function recordingOf({ stores, recordingPreset }: DeviceGroupDeps, deviceId: string): Promise<Recorded> {
  const policies = await stores.recordingPolicies.listOf(deviceId);
  const own = policies.filter((policy) => policy.deviceId === deviceId);
  const device = own.find(({ channel }) => channel === 0);
  const channels = own.filter(({ channel }) => channel > 0);
  const forAll = policies.find((policy) => policy.deviceId === '');
  return {
    own: {
      device: device === undefined ? null : policyOf(device),
      channels: channels.map((policy) => ({ channel: policy.channel, policy: policyOf(policy) })),
    },
    inherited: forAll === undefined ? recordingPreset : policyOf(forAll),
  };
}

function policyOf({ mode, quality, schedule, retentionDays }: ScopedPolicy): RecordingPolicy {
  return { mode, quality, schedule, retentionDays };
}

function policiesOf(recording: DeviceRecording | undefined): OwnPolicies {
  if (recording === undefined) return [];
  const { device, channels } = recording;
  return [...(device === null ? [] : [{ channel: 0, policy: device }]), ...channels];
}

function faultsOf(fields: DeviceFields, recording: DeviceRecording | undefined): Record<string, string> {
  const numbers = recording?.channels.map(({ channel }) => channel) ?? [];
  const isTwice = new Set(numbers).size < numbers.length;
  const isBeyond = fields.chn > 0 && numbers.some((channel) => channel > fields.chn);
  return { ...faultsOfDevice(fields), ...(isTwice || isBeyond ? { recording: 'not-allowed' } : {}) };
}

export async function refuseSaving(
  reply: FastifyReply,
  refused: SavingRefused,
  deps: DeviceGroupDeps,
): Promise<FastifyReply> {
  switch (refused.reason) {
    case 'fields':
      return refuse(reply, refusedFields(refused.fields));
    case 'taken':
      return refuse(reply, { ...refusedFields({ [refused.field]: 'taken' }), status: 409 });
    case 'gone':
      return refuse(reply, Refused.device);
    case 'full':
      return refuse(reply, LICENSE_FULL);
    case 'conflict': {
      const current = refused.current === undefined ? null : await detailOf(deps, refused.current);
      return refuse(reply, conflictWith(current));
    }
  }
}

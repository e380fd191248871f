// Adding and changing a device: judged field by field, saved by version, told to whom it concerns.
import type { FastifyReply } from 'fastify';
import type { DeviceDetail, DeviceFields, DeviceRecording } from '../../../shared/protocol/api/devices.ts';
import { deviceIdFault, faultsOfDevice } from '../../../shared/protocol/deviceRules.ts';
import type { DeviceRecord, NewDeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { OwnPolicies, RecordAnswer } from '../../store/devices/deviceRecords.ts';
import type { RecordingPolicy, ScopedPolicy } from '../../store/recordings/recordingPolicies.ts';
import { Refused, refuse } from '../kernel/envelope.ts';
import { auditFields, type Difference, difference } from './auditTrail.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { concernsTerminal, fromFields, toFields, toRow } from './rows.ts';
import { type CallerScope, canSee } from './scope.ts';

/** As it was sent: clients that were written before a field came do not send it. */
export type SentFields = Omit<DeviceFields, 'channelsFromZero'> & Partial<Pick<DeviceFields, 'channelsFromZero'>>;

export type DeviceSaving = SentFields & { readonly recording?: DeviceRecording | undefined };

export interface NewSaving {
  readonly deviceId: string;
  readonly fields: SentFields;
  readonly recording?: DeviceRecording | undefined;
  readonly identity?: NewDeviceRecord['identity'] | undefined;
  readonly scope: CallerScope;
}

export type SavingRefused =
  | Extract<RecordAnswer, { ok: false }>
  | { readonly ok: false; readonly reason: 'fields'; readonly fields: Readonly<Record<string, string>> };

export type SavingAnswer =
  | { readonly ok: true; readonly record: DeviceRecord; readonly difference: Difference }
  | SavingRefused;

export async function saveNew(deps: DeviceGroupDeps, saving: NewSaving): Promise<SavingAnswer> {
  const { deviceId, recording, identity, scope } = saving;
  const fields: DeviceFields = { channelsFromZero: false, ...saving.fields };
  const fault = deviceIdFault(deviceId);
  const faults = {
    ...(fault === undefined ? {} : { deviceid: fault }),
    ...faultsOf(fields, recording),
    ...(fields.group === null ? { group: 'required' } : {}),
    ...(fields.group !== null && !scope.ids.has(fields.group) ? { group: 'unknown' } : {}),
  };
  if (Object.keys(faults).length > 0) return { ok: false, reason: 'fields', fields: faults };
  const device = { ...fromFields(fields), deviceId, ...(identity === undefined ? {} : { identity }) };
  const answer = await deps.stores.deviceRecords.insert(device, policiesOf(recording), deps.now());
  return answer.ok ? { ...answer, difference: { before: {}, after: { ...fields } } } : answer;
}

export interface OldSaving {
  readonly deviceId: string;
  readonly version: number;
  readonly fields: SentFields;
  readonly recording?: DeviceRecording | undefined;
  readonly scope: CallerScope;
}

export async function saveOld(deps: DeviceGroupDeps, saving: OldSaving): Promise<SavingAnswer> {
  const { deviceId, version, recording, scope } = saving;
  const { deviceRecords } = deps.stores;
  const before = await deviceRecords.find(deviceId);
  if (before === undefined || !canSee(scope, before)) return { ok: false, reason: 'gone' };
  const fields: DeviceFields = { channelsFromZero: before.channelsFromZero, ...saving.fields };
  const { group } = fields;
  const faults = {
    ...faultsOf(fields, recording),
    ...(group === null && before.deviceGroup !== undefined ? { group: 'required' } : {}),
    ...(group !== null && !scope.ids.has(group) ? { group: 'unknown' } : {}),
  };
  if (Object.keys(faults).length > 0) return { ok: false, reason: 'fields', fields: faults };
  const recordedBefore = await recordingOf(deps, deviceId);
  const own = recording === undefined ? undefined : policiesOf(recording);
  const change = { deviceId, version, fields: fromFields(fields) };
  const answer = await deviceRecords.change(change, own, deps.now());
  if (!answer.ok) return answer;
  // Nothing of what the terminal before it said of itself holds for another one.
  if (before.terminal !== answer.record.terminal) deps.terminals.forget(deviceId);
  else if (concernsTerminal(before, answer.record)) deps.terminals.cut(deviceId);
  const was = { ...auditFields(toFields(before), scope.groups), recording: recordedBefore.own };
  const now = auditFields(toFields(answer.record), scope.groups);
  const is = { ...now, recording: recording ?? recordedBefore.own };
  return { ...answer, difference: difference(was, is) };
}

export async function detailOf(deps: DeviceGroupDeps, record: DeviceRecord): Promise<DeviceDetail> {
  const { own, inherited } = await recordingOf(deps, record.deviceId);
  return { ...toRow(record, deps.terminals), recording: own, inherited, identity: record.identity ?? null };
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
      return refuse(reply, { ...Refused.fields, data: { fields: refused.fields } });
    case 'taken':
      return refuse(reply, { ...Refused.fields, status: 409, data: { fields: { [refused.field]: 'taken' } } });
    case 'gone':
      return refuse(reply, Refused.device);
    case 'conflict': {
      const current = refused.current === undefined ? null : await detailOf(deps, refused.current);
      return refuse(reply, { ...Refused.conflict, data: { current } });
    }
  }
}

// What administrators do with devices: checked field by field, saved by version, reported to whom it concerns.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { DeviceRecording } from '../../../shared/protocol/api/deviceRecording.ts';
import {
  BLANK_DEVICE,
  type DeviceFields,
  type EditedDevice,
  type NewDevice,
} from '../../../shared/protocol/api/devices.ts';
import { deviceIdFault, faultsOfDevice } from '../../../shared/protocol/deviceRules.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import { type ActTrailDeps, createActTrail } from '../../records/actTrail.ts';
import { type Actor, type RecordRefusal, refusalOfFields } from '../../records/recordActs.ts';
import type { DeviceRecord, NewDeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { RecordAnswer } from '../../store/devices/deviceRecords.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { Stores } from '../../store/stores.ts';
import { concernsTerminal, fromFields, toFields } from '../deviceFields.ts';
import { ownRecording, policiesOf } from '../ownRecording.ts';
import { canSee, type DeviceReach, groupPath, reachOf } from '../reach.ts';

/** The record is undefined where it is gone by now. */
export type DeviceRefusal<Row = DeviceRecord | undefined> = RecordRefusal<Row>;

interface DeviceVersion {
  readonly id: string;
  readonly version: number;
}

/** The unknown terminal that a device is made of. */
interface AdoptedTerminal {
  readonly manufacturer: string;
  readonly terminalId: string;
  readonly address: string;
}

type DeviceOutcome = Promise<Outcome<DeviceRecord, DeviceRefusal>>;

export interface DeviceActs {
  /** `adopted`: left out, the device waits for whichever terminal has its number. */
  add(actor: Actor, content: NewDevice, adopted?: AdoptedTerminal): DeviceOutcome;
  change(actor: Actor, named: DeviceVersion, content: Omit<EditedDevice, 'version'>): DeviceOutcome;
  remove(actor: Actor, named: DeviceVersion, removal: { readonly recordings: boolean }): DeviceOutcome;
}

export interface DeviceActsDeps extends Omit<ActTrailDeps, 'audit' | 'bus'> {
  readonly stores: Pick<Stores, 'audit' | 'deviceTree' | 'deviceRecords' | 'recordingPolicies'>;
  readonly bus: Pick<ChangeBus, 'recordsChanged' | 'deviceRemoved'>;
  readonly terminals: TerminalsOfDevices;
  readonly serverInfo: {
    /** The number of licensed devices; 0 for no limit. */
    maxDevices(): Promise<number>;
  };
}

interface TerminalsOfDevices {
  cut(deviceId: string): void;
  dropOrders(deviceId: string): Promise<void>;
  forget(deviceId: string): void;
}

export function createDeviceActs(deps: DeviceActsDeps): DeviceActs {
  const { stores, terminals, bus, now } = deps;
  const leaveTrail = createActTrail(['device', 'group'], { audit: stores.audit, bus, now });
  return {
    add: async (actor, content, adopted) => {
      const reach = await reachOf(stores.deviceTree, actor.memberGroup);
      const answer = await insert(deps, { content, adopted, reach });
      if (!answer.ok) return answer;
      const after = { ...auditFields(answer.value, reach), recording: content.recording };
      const { deviceid: target } = content;
      if (adopted === undefined) await leaveTrail(actor, { action: 'device.add', target, after });
      else await leaveTrail(actor, { action: 'terminal.adopt', target, after, detail: { ...adopted } });
      return answer;
    },
    change: async (actor, named, content) => {
      const reach = await reachOf(stores.deviceTree, actor.memberGroup);
      const answer = await update(deps, { named, content, reach });
      if (!answer.ok) return answer;
      const { record, before, after } = answer.value;
      await leaveTrail(actor, { action: 'device.change', target: named.id, before, after });
      return { ok: true, value: record };
    },
    remove: async (actor, { id: deviceId, version }, { recordings }) => {
      const reach = await reachOf(stores.deviceTree, actor.memberGroup);
      const before = await stores.deviceRecords.find(deviceId);
      if (before === undefined || !canSee(reach, before)) return GONE;
      const removed = await stores.deviceRecords.remove({ deviceId, version }, { recordings, at: now() });
      if (!removed.ok) return outcomeOf(removed);
      terminals.forget(deviceId);
      bus.deviceRemoved.tell({ deviceId });
      const was = auditFields(before, reach);
      await leaveTrail(actor, { action: 'device.remove', target: deviceId, before: was, detail: { recordings } });
      return { ok: true, value: before };
    },
  };
}

const GONE = { ok: false, reason: { kind: 'gone' } } as const;

interface Insertion {
  readonly content: NewDevice;
  readonly adopted: AdoptedTerminal | undefined;
  readonly reach: DeviceReach;
}

async function insert(deps: DeviceActsDeps, { content, adopted, reach }: Insertion): DeviceOutcome {
  const { deviceid: deviceId, recording, ...given } = content;
  const fields: DeviceFields = { ...BLANK_DEVICE, ...given };
  const fault = deviceIdFault(deviceId);
  const refusal = refusalOfFields({
    ...(fault === undefined ? {} : { deviceid: fault }),
    ...faultsOf(fields, recording),
    ...(fields.group === null ? { group: 'required' } : {}),
    ...(fields.group !== null && !reach.ids.has(fields.group) ? { group: 'unknown' } : {}),
  });
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const device = {
    ...fromFields(fields),
    deviceId,
    ...(adopted === undefined ? {} : { identity: identityOf(adopted) }),
  };
  const maxDevices = await deps.serverInfo.maxDevices();
  return outcomeOf(await deps.stores.deviceRecords.insert(device, policiesOf(recording), deps.now(), maxDevices));
}

function identityOf({ manufacturer, terminalId }: AdoptedTerminal): NonNullable<NewDeviceRecord['identity']> {
  return { manufacturer, terminalId };
}

interface Change {
  readonly named: DeviceVersion;
  readonly content: Omit<EditedDevice, 'version'>;
  readonly reach: DeviceReach;
}

interface Changed {
  readonly record: DeviceRecord;
  /** For the audit. */
  readonly before: AuditFields;
  readonly after: AuditFields;
}

async function update(
  { stores, terminals, now }: DeviceActsDeps,
  { named: { id: deviceId, version }, content, reach }: Change,
): Promise<Outcome<Changed, DeviceRefusal>> {
  const before = await stores.deviceRecords.find(deviceId);
  if (before === undefined || !canSee(reach, before)) return GONE;
  const { recording, ...given } = content;
  const fields: DeviceFields = { ...toFields(before), ...given };
  const { group } = fields;
  const refusal = refusalOfFields({
    ...faultsOf(fields, recording),
    ...(group === null && before.deviceGroup !== undefined ? { group: 'required' } : {}),
    ...(group !== null && !reach.ids.has(group) ? { group: 'unknown' } : {}),
  });
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const recordedBefore = ownRecording(await stores.recordingPolicies.listOf(deviceId), deviceId);
  const own = recording === undefined ? undefined : policiesOf(recording);
  const change = { deviceId, version, fields: fromFields(fields) };
  if (version === before.version && change.fields.terminal !== before.terminal) await terminals.dropOrders(deviceId);
  const answer = await stores.deviceRecords.change(change, own, now());
  if (!answer.ok) return outcomeOf(answer);
  const { record } = answer;
  // Nothing of what the terminal before it said of itself holds for another one.
  if (before.terminal !== record.terminal) terminals.forget(deviceId);
  else if (concernsTerminal(before, record)) terminals.cut(deviceId);
  return {
    ok: true,
    value: {
      record,
      before: { ...auditFields(before, reach), recording: recordedBefore },
      after: { ...auditFields(record, reach), recording: recording ?? recordedBefore },
    },
  };
}

function outcomeOf(answer: Extract<RecordAnswer, { ok: false }>): Extract<Outcome<never, DeviceRefusal>, { ok: false }>;
function outcomeOf(answer: RecordAnswer): Outcome<DeviceRecord, DeviceRefusal>;
function outcomeOf(answer: RecordAnswer): Outcome<DeviceRecord, DeviceRefusal> {
  if (answer.ok) return { ok: true, value: answer.record };
  switch (answer.reason) {
    case 'taken':
      return { ok: false, reason: { kind: 'taken', field: answer.field } };
    case 'gone':
      return GONE;
    case 'full':
      return { ok: false, reason: { kind: 'too-many' } };
    case 'conflict':
      return { ok: false, reason: { kind: 'conflict', current: answer.current } };
  }
}

function faultsOf(fields: DeviceFields, recording: DeviceRecording | undefined): Record<string, string> {
  const numbers = recording?.channels.map(({ channel }) => channel) ?? [];
  const isTwice = new Set(numbers).size < numbers.length;
  const isBeyond = fields.chn > 0 && numbers.some((channel) => channel > fields.chn);
  return { ...faultsOfDevice(fields), ...(isTwice || isBeyond ? { recording: 'not-allowed' } : {}) };
}

function auditFields(record: DeviceRecord, { groups }: DeviceReach): AuditFields {
  const fields = toFields(record);
  return { ...fields, group: groupPath(groups, fields.group) };
}

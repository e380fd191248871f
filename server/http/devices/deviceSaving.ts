// A device as the calls that save one answer it, and why they are refused.
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import type { DeviceDetail } from '../../../shared/protocol/api/devices.ts';
import type { DeviceRefusal } from '../../devices/acts/devices.ts';
import { ownRecording, policyOf } from '../../devices/ownRecording.ts';
import { withheldChannels } from '../../recording/channelStates.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import { type Refusal, Refused } from '../kernel/envelope.ts';
import { recordRefusal } from '../kernel/records/recordRoutes.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { toRow } from './rows.ts';

const LICENSE_FULL: Refusal = {
  status: 409,
  code: 'licence-full',
  message: "You've reached the number of licensed devices. Remove devices that aren't needed, or extend the license.",
};

export async function detailOf(deps: DeviceGroupDeps, record: DeviceRecord): Promise<DeviceDetail> {
  const policies = await deps.stores.recordingPolicies.listOf(record.deviceId);
  const forAll = policies.find((policy) => policy.deviceId === '');
  const inherited: RecordingPolicy = forAll === undefined ? deps.recordingPreset : policyOf(forAll);
  const withheld = withheldChannels(deps.recordingStates().get(record.deviceId));
  const recording = { recording: ownRecording(policies, record.deviceId), inherited, withheldChannels: withheld };
  return { ...toRow(record, deps.terminals), ...recording, identity: record.identity ?? null };
}

/** The refusal of a call, with the device as it is by now. */
export async function deviceRefusal(refused: DeviceRefusal, deps: DeviceGroupDeps): Promise<Refusal> {
  if (refused.kind !== 'conflict') return refusalOfDevice(refused);
  const { current } = refused;
  return refusalOfDevice({ ...refused, current: current === undefined ? null : await detailOf(deps, current) });
}

/** The current device of a conflict is the one that callers see. */
export function refusalOfDevice(refused: DeviceRefusal<unknown>): Refusal {
  return recordRefusal(refused, { gone: Refused.device, tooMany: LICENSE_FULL });
}

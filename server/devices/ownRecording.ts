// The recording policies that a device has of its own.
import type { DeviceRecording, RecordingPolicy } from '../../shared/protocol/api/deviceRecording.ts';
import type { OwnPolicies } from '../store/devices/deviceRecords.ts';
import type { ScopedPolicy } from '../store/recordings/recordingPolicies.ts';

/** `policies`: those of the device, and those that hold for all. */
export function ownRecording(policies: readonly ScopedPolicy[], deviceId: string): DeviceRecording {
  const own = policies.filter((policy) => policy.deviceId === deviceId);
  const device = own.find(({ channel }) => channel === 0);
  const channels = own.filter(({ channel }) => channel > 0);
  return {
    device: device === undefined ? null : policyOf(device),
    channels: channels.map((policy) => ({ channel: policy.channel, policy: policyOf(policy) })),
  };
}

export function policyOf({ mode, quality, schedule, retentionDays }: ScopedPolicy): RecordingPolicy {
  return { mode, quality, schedule, retentionDays };
}

export function policiesOf(recording: DeviceRecording | undefined): OwnPolicies {
  if (recording === undefined) return [];
  const { device, channels } = recording;
  return [...(device === null ? [] : [{ channel: 0, policy: device }]), ...channels];
}

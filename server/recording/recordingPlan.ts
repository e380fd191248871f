// Which channels are to be recorded now: policies and devices as the database has them, ignition as the terminals say.

import type { ChannelKey } from '../media/channelKey.ts';
import type { Device, DeviceStore } from '../store/devices/devices.ts';
import type { RecordingPolicy, RecordingPolicyStore, ScopedPolicy } from '../store/recordings/recordingPolicies.ts';
import { policyFor, wantsRecording } from './policy.ts';

export interface RecordingPlanDeps {
  readonly devices: Pick<DeviceStore, 'list'>;
  readonly policies: Pick<RecordingPolicyStore, 'list'>;
  /** Of a device without any policy, as long as the database has no policy for all. */
  readonly preset: RecordingPolicy;
  /** Numbers of the channels that have a camera. */
  readonly channelsOf: (device: Device) => readonly number[];
  readonly ignitionOn: (deviceId: string) => boolean | undefined;
}

/** A channel to record, and what its recordings lie under. */
export interface RecordingKey extends ChannelKey {
  readonly archiveId: string;
}

export class RecordingPlan {
  readonly #deps: RecordingPlanDeps;
  /** Those of which a policy may want something: the channels of the others are not looked up in every round. */
  #devices: readonly Device[] = [];
  #policies: readonly ScopedPolicy[] = [];
  /** Deleted since the devices were read. */
  readonly #gone = new Set<string>();

  constructor(deps: RecordingPlanDeps) {
    this.#deps = deps;
  }

  /** Reads devices and policies anew. */
  async reload(): Promise<void> {
    const before = [...this.#gone];
    const [devices, policies] = await Promise.all([this.#deps.devices.list(), this.policies()]);
    for (const deviceId of before) this.#gone.delete(deviceId);
    const recorded = new Set(policies.filter(({ mode }) => mode !== 'off').map(({ deviceId }) => deviceId));
    const mayRecord = ({ deviceId, disabled }: Device): boolean =>
      !disabled && !this.#gone.has(deviceId) && (recorded.has('') || recorded.has(deviceId));
    this.#devices = devices.filter(mayRecord);
    this.#policies = policies;
  }

  /** The device was deleted: nothing of it is wanted, although a reading that is under way may still find it. */
  forget(deviceId: string): void {
    this.#gone.add(deviceId);
    this.#devices = this.#devices.filter((device) => device.deviceId !== deviceId);
  }

  /** All policies, the preset among them when nothing else is for all devices. */
  async policies(): Promise<readonly ScopedPolicy[]> {
    const policies = await this.#deps.policies.list();
    const hasOneForAll = policies.some(({ deviceId }) => deviceId === '');
    return hasOneForAll ? policies : [...policies, { deviceId: '', channel: 0, ...this.#deps.preset }];
  }

  wanted(nowMs: number): RecordingKey[] {
    return this.#devices.flatMap((device) => this.#wantedOf(device, nowMs));
  }

  #wantedOf(device: Device, nowMs: number): RecordingKey[] {
    const { deviceId, archiveId, timeZone } = device;
    const facts = { timeZone, ignitionOn: this.#deps.ignitionOn(deviceId) };
    return this.#deps.channelsOf(device).flatMap((channel) => {
      const policy = policyFor(this.#policies, deviceId, channel);
      if (policy === undefined || !wantsRecording(policy, facts, nowMs)) return [];
      return [{ deviceId, archiveId, channel, quality: policy.quality }];
    });
  }
}

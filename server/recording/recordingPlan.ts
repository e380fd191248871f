// Decides which channels to record now, from policies and devices in the database, the ignition that terminals report, and what
// events have asked for.

import type { ChannelKey } from '../media/channelKey.ts';
import type { Device, DeviceStore } from '../store/devices/devices.ts';
import type { RecordingPolicy, RecordingPolicyStore, ScopedPolicy } from '../store/recordings/recordingPolicies.ts';
import { policyFor, wantsRecording } from './policy.ts';
import type { RequestedChannels } from './requestedChannels.ts';

export interface RecordingPlanDeps {
  readonly devices: Pick<DeviceStore, 'list'>;
  readonly policies: Pick<RecordingPolicyStore, 'list'>;
  /** Used for devices without a policy, until the database has an installation-wide one. */
  readonly preset: RecordingPolicy;
  /** Numbers of the channels that have a camera. */
  readonly channelsOf: (device: Device) => readonly number[];
  readonly ignitionOn: (deviceId: string) => boolean | undefined;
  /** Recorded whatever the policies say. */
  readonly requested: RequestedChannels;
}

/** A channel to record, and what its recordings lie under. */
export interface RecordingKey extends ChannelKey {
  readonly archiveId: string;
  /** Left out: a policy alone. */
  readonly purpose?: 'event';
}

export class RecordingPlan {
  readonly #deps: RecordingPlanDeps;
  /** Devices for which some policy may want recording. The channels of the others aren't looked up in each round. */
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

  /** The device was deleted. It isn't recorded, even if a query that is still running returns it. */
  forget(deviceId: string): void {
    this.#gone.add(deviceId);
    this.#deps.requested.forget(deviceId);
    this.#devices = this.#devices.filter((device) => device.deviceId !== deviceId);
  }

  /** All policies, the preset among them when nothing else is for all devices. */
  async policies(): Promise<readonly ScopedPolicy[]> {
    const policies = await this.#deps.policies.list();
    const hasOneForAll = policies.some(({ deviceId }) => deviceId === '');
    return hasOneForAll ? policies : [...policies, { deviceId: '', channel: 0, ...this.#deps.preset }];
  }

  wanted(nowMs: number): RecordingKey[] {
    const planned = this.#devices.flatMap((device) => this.#wantedOf(device, nowMs));
    const requested = this.#deps.requested.at(nowMs);
    if (requested.length === 0) return planned;
    const textOf = ({ archiveId, channel }: Pick<RecordingKey, 'archiveId' | 'channel'>) => `${archiveId}/${channel}`;
    const known = new Set(planned.map(textOf));
    const ofEvents = new Set(requested.map(textOf));
    const purpose = 'event';
    const others = requested.filter((key) => !known.has(textOf(key)));
    return [
      ...planned.map((key) => (ofEvents.has(textOf(key)) ? ({ ...key, purpose } as const) : key)),
      ...others.map((key) => ({ ...key, quality: this.#qualityOf(key), purpose }) as const),
    ];
  }

  #qualityOf({ deviceId, channel }: Pick<RecordingKey, 'deviceId' | 'channel'>): RecordingKey['quality'] {
    return (policyFor(this.#policies, deviceId, channel) ?? this.#deps.preset).quality;
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

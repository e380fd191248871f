// The parts of data sync that API calls need.
import type { SyncEngine } from './engine/syncEngine.ts';
import type { SyncRequests } from './requests/syncRequests.ts';
import type { DeviceSources } from './sources/deviceSources.ts';

export interface ChannelledDevice {
  readonly deviceId: string;
  readonly chn: number;
  readonly installchs: string;
}

export interface SyncCalls {
  readonly requests: Pick<SyncRequests, 'forMember'>;
  readonly engine: Pick<SyncEngine, 'stopItem' | 'kick'>;
  readonly sources: Pick<DeviceSources, 'files' | 'here' | 'due'>;
  /** Called when lists of the member group have changed. */
  itemsChanged(memberGroup: number): void;
  /** Numbers of the channels that have a camera. */
  channelsOf(device: ChannelledDevice): readonly number[];
  /** Path of a kept file. */
  pathOf(name: string): string;
}

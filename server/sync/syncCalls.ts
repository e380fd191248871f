// What the calls of the API need of data sync.
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
  /** A rule was edited: what it has planned is planned anew. */
  ruleChanged(memberGroup: number, rule: number): Promise<void>;
  /** Lists of the member group are otherwise than before. */
  itemsChanged(memberGroup: number): void;
  /** Numbers of the channels that have a camera. */
  channelsOf(device: ChannelledDevice): readonly number[];
  /** Of a kept file. */
  pathOf(name: string): string;
}

import type { ConnectionTest } from '../../../shared/protocol/api/connectionTest.ts';
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Edition } from '../../device/jt808/codec/codes.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { ChannelStates } from '../../recording/channelStates.ts';
import type { Stores } from '../../store/stores.ts';
import type { ImportReader } from '../imports/importReader.ts';
import type { ServerInfoReader } from '../system/serverInfo.ts';

export interface TerminalPresence {
  /** Undefined while it is away. */
  readonly onlineSinceMs: number | undefined;
  /** Undefined when nothing was heard since the gateway started. */
  readonly lastMessageAtMs: number | undefined;
}

/** What the device side of the gateway knows of terminals, and does to them. */
export interface TerminalPort {
  presence(deviceId: string): TerminalPresence;
  /** Of JT/T 808, of the terminal that is here; undefined while none is. */
  edition(deviceId: string): Edition | undefined;
  /** Ends the terminal's connection: it signs in again, under what the device's record says by then. */
  cut(deviceId: string): void;
  /**
   * The device is about to belong to another terminal: what waits for the one that it has isn't sent any more. Settles once this is
   * stored, so that no restart sends it to the other.
   */
  dropOrders(deviceId: string): Promise<void>;
  /** The device was deleted, or belongs to another terminal by now: nothing is kept of what the old one said. */
  forget(deviceId: string): void;
  test(deviceId: string): Promise<ConnectionTest>;
}

export interface DeviceGroupDeps {
  readonly stores: Pick<
    Stores,
    'deviceTree' | 'deviceRecords' | 'devices' | 'unknownTerminals' | 'recordingPolicies' | 'memberGroups' | 'audit'
  >;
  readonly terminals: TerminalPort;
  /** For devices without a policy, until the database has one for all. */
  readonly recordingPreset: RecordingPolicy;
  /** Has the number of licensed devices. */
  readonly serverInfo: Pick<ServerInfoReader, 'maxDevices'>;
  /** By device id, of what should be recorded now. */
  readonly recordingStates: () => ReadonlyMap<string, Pick<ChannelStates, 'withheldBits'>>;
  /** A device was deleted: what is recorded and stored of it ends, and what there is of it may have to be deleted. */
  readonly deviceRemoved: (deviceId: string) => void;
  readonly importReader: ImportReader;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

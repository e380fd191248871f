import type { ConnectionTest } from '../../../shared/protocol/api/connectionTest.ts';
import type { RecordingPolicy } from '../../../shared/protocol/api/deviceRecording.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { Edition } from '../../device/jt808/codec/codes.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { ChannelStates } from '../../recording/channelStates.ts';
import type { Stores } from '../../store/stores.ts';
import type { ImportReader } from '../imports/importReader.ts';
import type { ServerInfoReader } from '../system/serverInfo.ts';

export interface TerminalPresence {
  /** Undefined while the terminal is offline. */
  readonly onlineSinceMs: number | undefined;
  /** Undefined when no message has come since the gateway started. */
  readonly lastMessageAtMs: number | undefined;
}

/** Access to terminals through the device side of the gateway. */
export interface TerminalPort {
  presence(deviceId: string): TerminalPresence;
  /** JT/T 808 edition of the connected terminal; undefined while none is connected. */
  edition(deviceId: string): Edition | undefined;
  /** Ends the terminal's connection: it signs in again, with the device's record as it is by then. */
  cut(deviceId: string): void;
  /**
   * Drops the orders that wait for the device's present terminal, since the device is about to belong to another one. Settles once this
   * is stored, so that no restart sends them to the other terminal.
   */
  dropOrders(deviceId: string): Promise<void>;
  /** The device was deleted, or belongs to another terminal by now: nothing that the old one reported is kept. */
  forget(deviceId: string): void;
  test(deviceId: string): Promise<ConnectionTest>;
}

export interface DeviceGroupDeps {
  readonly stores: Pick<
    Stores,
    'deviceTree' | 'deviceRecords' | 'devices' | 'unknownTerminals' | 'recordingPolicies' | 'memberGroups' | 'audit'
  >;
  readonly terminals: TerminalPort;
  /** The recording policy of devices without their own, until the database has one for all. */
  readonly recordingPreset: RecordingPolicy;
  /** Has the number of licensed devices. */
  readonly serverInfo: Pick<ServerInfoReader, 'maxDevices'>;
  /** Recording states by device ID, for what should be recorded now. */
  readonly recordingStates: () => ReadonlyMap<string, Pick<ChannelStates, 'withheldBits'>>;
  readonly bus: Pick<ChangeBus, 'recordsChanged' | 'deviceRemoved'>;
  readonly importReader: ImportReader;
  readonly onLimit: OnLimit;
  readonly now: () => WallMs;
}

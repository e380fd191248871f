// Alarm limits in memory, as the store keeps them.
import type {
  AlarmLimitStore,
  LimitedDevice,
  LimitsReport,
  LostLimits,
  StateChange,
  StoredAlarmLimits,
  WantedLimits,
} from '../../../../../server/store/devices/alarmLimits.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

export class FakeLimitStore implements AlarmLimitStore {
  readonly #rows = new Map<string, StoredAlarmLimits>();

  async find(deviceId: string): Promise<StoredAlarmLimits | undefined> {
    return this.#rows.get(deviceId);
  }

  async unconfirmed(): Promise<string[]> {
    return [...this.#rows.values()].filter(({ state }) => state === 'sent').map(({ deviceId }) => deviceId);
  }

  /** The tests say so. */
  lost: LostLimits[] = [];

  async waitingWithoutOrder(): Promise<LostLimits[]> {
    return this.lost;
  }

  async want({ deviceId }: LimitedDevice, { wanted, version, by, atMs }: WantedLimits): Promise<void> {
    const state = Object.keys(wanted).length === 0 ? 'none' : 'waiting';
    this.#put(deviceId, { wanted, version, writtenBy: by, writtenAtMs: atMs, state });
  }

  async setState({ deviceId }: LimitedDevice, version: number, { from, to }: StateChange): Promise<void> {
    const row = this.#rows.get(deviceId);
    if (row?.version === version && from.includes(row.state)) this.#put(deviceId, { state: to });
  }

  async report({ deviceId }: LimitedDevice, { reported, atMs }: LimitsReport): Promise<void> {
    this.#put(deviceId, { reported, reportedAtMs: atMs });
  }

  /** Throws where there is none. */
  row(deviceId: string): StoredAlarmLimits {
    const row = this.#rows.get(deviceId);
    if (row === undefined) throw new Error(`nothing of ${deviceId}`);
    return row;
  }

  #put(deviceId: string, changes: Partial<StoredAlarmLimits>): void {
    const known = this.#rows.get(deviceId) ?? {
      deviceId,
      wanted: undefined,
      state: 'none',
      version: 0,
      writtenBy: '',
      writtenAtMs: wallMs(0),
      reported: undefined,
      reportedAtMs: wallMs(0),
    };
    this.#rows.set(deviceId, { ...known, ...changes });
  }
}

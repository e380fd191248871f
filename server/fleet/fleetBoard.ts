// The state of every device in one place: the source of all screens, and of the figures of all groups.
import type { DeviceAlarm, LiveChange, LiveDevice } from '../../shared/protocol/api/liveUpdates.ts';
import { channelsOf } from '../device/channels.ts';
import type { DeviceRegistry } from '../device/registry.ts';
import {
  differenceOf,
  type FleetDevice,
  isRecent,
  isSameRecord,
  type LastReport,
  lastSeenMs,
  liveDevice,
  REPORT_HOLDS_MS,
} from './deviceRow.ts';

/** The change of one device since the last drain. */
export interface BoardChange {
  /** Undefined for a device that is new. */
  readonly before: LiveDevice | undefined;
  /** Undefined for a device that is gone. */
  readonly after: LiveDevice | undefined;
  /** The fields that differ, when there is a before and an after. */
  readonly difference: LiveChange | undefined;
}

export interface FleetBoardDeps {
  readonly registry: Pick<DeviceRegistry, 'presence' | 'videoLost' | 'facts'>;
  readonly now: () => number;
}

export class FleetBoard {
  readonly #deps: FleetBoardDeps;
  readonly #reports = new Map<string, LastReport>();
  readonly #presenceAtMs = new Map<string, number>();
  readonly #alarms = new Map<string, DeviceAlarm>();
  readonly #touched = new Set<string>();
  /** No report stops being recent before this time. */
  #nextExpiryMs = 0;
  #devices: ReadonlyMap<string, FleetDevice> = new Map();
  /** Devices by the number that their events are stored under. */
  #byArchive: ReadonlyMap<number, FleetDevice> = new Map();
  readonly #listeners = new Set<() => void>();
  /** Rows as of the last drain. */
  readonly #rows = new Map<string, LiveDevice>();

  constructor(deps: FleetBoardDeps) {
    this.#deps = deps;
  }

  /** Notes that the device's terminal has signed in or left. */
  notePresence(deviceId: string): void {
    this.#presenceAtMs.set(deviceId, this.#deps.now());
    this.#touched.add(deviceId);
  }

  /** Undefined where neither happened since the start. */
  presenceAtMs(deviceId: string): number | undefined {
    return this.#presenceAtMs.get(deviceId);
  }

  /** Time of the device's last live position, or of its terminal signing in or leaving. 0: never. */
  seenAtMs(device: Pick<FleetDevice, 'deviceId' | 'incarnation'>): number {
    return lastSeenMs(this.lastReport(device), this.#presenceAtMs.get(device.deviceId) ?? 0);
  }

  /** Sets the lasting event of severity major or higher, or undefined when none lasts any more. */
  setAlarm(deviceId: string, alarm: DeviceAlarm | undefined): void {
    if (alarm === undefined && !this.#alarms.has(deviceId)) return;
    if (alarm === undefined) this.#alarms.delete(deviceId);
    else this.#alarms.set(deviceId, alarm);
    this.#touched.add(deviceId);
  }

  knows(deviceId: string): boolean {
    return this.#devices.has(deviceId);
  }

  /** Whether the device has a camera on this channel, according to its record or its terminal; true for an unknown device. */
  hasChannel(deviceId: string, channel: number): boolean {
    const device = this.#devices.get(deviceId);
    if (device === undefined) return true;
    const { channels } = this.#deps.registry.facts(deviceId);
    const { chn, installchs } = channelsOf({ ...device, ptzchs: '', talkchs: '' }, channels);
    return chn === 0 || (channel <= chn && installchs[channel - 1] !== '0');
  }

  /** The device whose events are stored under the number; undefined where none is shown. */
  deviceOfArchive(archiveNumber: number): FleetDevice | undefined {
    return this.#byArchive.get(archiveNumber);
  }

  /** The listener is called when devices were added, removed or moved to other groups. */
  onRegrouped(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** IANA name of the device's time zone; '' for the gateway's own. */
  timeZoneOf(deviceId: string): string {
    return this.#devices.get(deviceId)?.timeZone ?? '';
  }

  /** All devices as of the last drain. */
  get rows(): Iterable<LiveDevice> {
    return this.#rows.values();
  }

  row(deviceId: string): LiveDevice | undefined {
    return this.#rows.get(deviceId);
  }

  /**
   * Replaces the devices. Reports of devices that are gone are forgotten, also where another device has the ID now. Returns those
   * that are gone.
   */
  setDevices(devices: readonly FleetDevice[]): readonly FleetDevice[] {
    const before = this.#devices;
    const gone: FleetDevice[] = [];
    this.#devices = new Map(devices.map((device) => [device.deviceId, device]));
    for (const device of before.values()) {
      const { deviceId, incarnation } = device;
      const now = this.#devices.get(deviceId);
      if (now?.incarnation === incarnation) continue;
      gone.push(device);
      this.#touched.add(deviceId);
      if (this.#reports.get(deviceId)?.incarnation === incarnation) this.#reports.delete(deviceId);
      // The terminal of the device that has the ID now may have signed in already.
      if (now === undefined || this.#deps.registry.presence(deviceId) === undefined)
        this.#presenceAtMs.delete(deviceId);
    }
    for (const device of devices) {
      if (!isSameRecord(before.get(device.deviceId), device)) this.#touched.add(device.deviceId);
    }
    this.#regroup(devices);
    return gone;
  }

  #regroup(devices: readonly FleetDevice[]): void {
    const before = this.#byArchive;
    this.#byArchive = new Map(devices.map((device) => [device.archiveNumber, device]));
    const isSame = ({ archiveNumber, deviceGroup }: FleetDevice) =>
      before.get(archiveNumber)?.deviceGroup === deviceGroup;
    if (devices.length === before.size && devices.every(isSame)) return;
    for (const listener of this.#listeners) listener();
  }

  /** Sets a live position. */
  setReport(deviceId: string, report: LastReport): void {
    this.#nextExpiryMs = Math.min(this.#nextExpiryMs, report.receivedAtMs + REPORT_HOLDS_MS);
    this.#reports.set(deviceId, report);
    this.#touched.add(deviceId);
  }

  /** The last live position, also from before the start. */
  lastReport({ deviceId, incarnation }: Pick<FleetDevice, 'deviceId' | 'incarnation'>): LastReport | undefined {
    const report = this.#reports.get(deviceId);
    return report?.incarnation === incarnation ? report : undefined;
  }

  /** Sets a position stored before the start. Returns false, changing nothing, if the terminal has reported since. */
  setStoredReport(deviceId: string, report: LastReport): boolean {
    if (this.#reports.has(deviceId)) return false;
    this.setReport(deviceId, report);
    return true;
  }

  /** Devices by their group: all, and those that are online. */
  countByGroup(): Map<number, { total: number; online: number }> {
    const counts = new Map<number, { total: number; online: number }>();
    for (const { deviceId, deviceGroup } of this.#devices.values()) {
      const count = counts.get(deviceGroup) ?? { total: 0, online: 0 };
      counts.set(deviceGroup, count);
      count.total++;
      if (this.#deps.registry.presence(deviceId) !== undefined) count.online++;
    }
    return counts;
  }

  /** Applies everything since the last drain and gives what it changed. */
  drain(): BoardChange[] {
    const nowMs = this.#deps.now();
    this.#touchExpiring(nowMs);
    const changes: BoardChange[] = [];
    for (const deviceId of this.#touched) {
      const change = this.#settle(deviceId, nowMs);
      if (change !== undefined) changes.push(change);
    }
    this.#touched.clear();
    return changes;
  }

  /** Moving is only valid for a while after a report. */
  #touchExpiring(nowMs: number): void {
    if (nowMs < this.#nextExpiryMs) return;
    let oldestMs = nowMs;
    for (const [deviceId, report] of this.#reports) {
      if (isRecent(report, nowMs)) oldestMs = Math.min(oldestMs, report.receivedAtMs);
      else if (this.#rows.get(deviceId)?.isMoving === true) this.#touched.add(deviceId);
    }
    this.#nextExpiryMs = oldestMs + REPORT_HOLDS_MS;
  }

  #settle(deviceId: string, nowMs: number): BoardChange | undefined {
    const before = this.#rows.get(deviceId);
    const device = this.#devices.get(deviceId);
    if (device === undefined) {
      if (before === undefined) return undefined;
      this.#rows.delete(deviceId);
      return { before, after: undefined, difference: undefined };
    }
    const after = this.#rowOf(device, nowMs);
    const difference = before === undefined ? undefined : differenceOf(before, after);
    if (before !== undefined && difference === undefined) return undefined;
    this.#rows.set(deviceId, after);
    return { before, after, difference };
  }

  #rowOf(device: FleetDevice, nowMs: number): LiveDevice {
    const { registry } = this.#deps;
    const report = this.#reports.get(device.deviceId);
    const facts = {
      isOnline: registry.presence(device.deviceId) !== undefined,
      presenceAtMs: this.#presenceAtMs.get(device.deviceId) ?? 0,
      report: report?.incarnation === device.incarnation ? report : undefined,
      alarm: this.#alarms.get(device.deviceId),
      videoLostBits: registry.videoLost(device.deviceId),
      reportedChannels: registry.facts(device.deviceId).channels?.count,
    };
    return liveDevice(device, facts, nowMs);
  }
}

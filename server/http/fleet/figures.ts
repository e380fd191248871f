// The dashboard's figures, put together from the board, the histories and the machine.
import type { DashboardFigures, OnlineRate, SystemFigures } from '../../../shared/protocol/api/fleet.ts';
import type { FleetCounts, LiveDevice } from '../../../shared/protocol/api/liveUpdates.ts';
import { wallMs, wallSeconds } from '../../../shared/protocol/time.ts';
import { DAY_SPAN_MS, DAY_STEP_MS, MONTH_SPAN_MS, MONTH_STEP_MS } from '../../fleet/onlineSteps.ts';
import type { DeviceEventCount } from '../../store/events/eventFigures.ts';
import type { OnlinePoint as StoredPoint } from '../../store/fleet/onlineHistory.ts';
import type { Stores } from '../../store/stores.ts';
import type { ServerInfoReader } from '../system/serverInfo.ts';
import { bytesPerDay, forecastDisk } from './forecast.ts';
import type { Gauges } from './gauges.ts';

interface FleetState {
  readonly counts: FleetCounts;
  readonly devices: ReadonlyMap<string, LiveDevice>;
}

interface DiskReading {
  readonly state: SystemFigures['disk']['state'];
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly floorBytes: number;
  readonly maximumBytes: number;
}

export interface FiguresDeps {
  readonly stores: Pick<Stores, 'fleet' | 'eventFigures' | 'onlineHistory' | 'segments'>;
  readonly stateOf: (memberGroup: number | undefined) => Promise<FleetState>;
  readonly serverInfo: ServerInfoReader;
  readonly disk: () => DiskReading;
  readonly gauges: () => Gauges;
  readonly liveTraffic: () => { readonly channels: number; readonly viewers: number };
  readonly now: () => number;
}

const BUSIEST = 10;

export async function dashboardFigures(memberGroup: number | undefined, deps: FiguresDeps): Promise<DashboardFigures> {
  const { stores, now } = deps;
  const atMs = now();
  const groups = memberGroup === undefined ? [] : await stores.fleet.deviceGroupsOf(memberGroup);
  const points = (stepMs: number, spanMs: number) =>
    stores.onlineHistory.points(groups, { stepMs, fromMs: atMs - spanMs, toMs: atMs });
  const [{ counts, devices }, day, month, events] = await Promise.all([
    deps.stateOf(memberGroup),
    points(DAY_STEP_MS, DAY_SPAN_MS),
    points(MONTH_STEP_MS, MONTH_SPAN_MS),
    stores.eventFigures.summary(groups, atMs - DAY_SPAN_MS, BUSIEST),
  ]);
  return {
    atMs: wallMs(atMs),
    counts,
    onlineDay: rateOf(day, DAY_STEP_MS),
    onlineMonth: rateOf(month, MONTH_STEP_MS),
    events: events.types,
    busiest: events.devices.map(({ deviceId, count }) => {
      const device = devices.get(deviceId);
      return { deviceid: deviceId, name: device?.name ?? deviceId, plate: device?.plate ?? '', count };
    }),
  };
}

/** Which devices of the group had an event of this type in the last day: what stands behind a figure. */
export async function devicesWithEvent(
  memberGroup: number | undefined,
  type: string,
  { stores, now }: FiguresDeps,
): Promise<DeviceEventCount[]> {
  const groups = memberGroup === undefined ? [] : await stores.fleet.deviceGroupsOf(memberGroup);
  return stores.eventFigures.devicesWith(groups, type, now() - DAY_SPAN_MS);
}

function rateOf(points: readonly StoredPoint[], stepMs: number): OnlineRate {
  const online = points.reduce((sum, point) => sum + point.online, 0);
  const total = points.reduce((sum, point) => sum + point.total, 0);
  return {
    rate: total === 0 ? null : online / total,
    points: points
      .filter((point) => point.total > 0)
      .map((point) => ({ atMs: wallMs(point.atMs), rate: point.online / point.total })),
    stepMs,
  };
}

export async function systemFigures(deps: FiguresDeps): Promise<SystemFigures> {
  const { stores, now } = deps;
  const sinceMs = now() - DAY_SPAN_MS;
  const [info, usedDevices, { bytes: recordedBytes }, written] = await Promise.all([
    deps.serverInfo.read(true),
    stores.fleet.countAll(),
    stores.segments.shownTotals(),
    stores.segments.writtenSince(sinceMs),
  ]);
  const gauges = deps.gauges();
  const disk = deps.disk();
  const perDay = bytesPerDay(written.bytes, sinceMs, written.firstMs, now());
  return {
    version: info.version ?? '',
    disk: {
      state: disk.state,
      freeBytes: disk.freeBytes,
      totalBytes: disk.totalBytes,
      recordedBytes,
      bytesPerDay: perDay,
      ...forecastDisk({ ...disk, recordedBytes, bytesPerDay: perDay }),
    },
    cpu: { machineShare: gauges.machineShare, gatewayShare: gauges.gatewayShare, cores: gauges.cores },
    memory: {
      gatewayBytes: gauges.gatewayBytes,
      machineUsedBytes: gauges.machineUsedBytes,
      machineTotalBytes: gauges.machineTotalBytes,
    },
    relay: {
      inBytesPerSecond: gauges.inBytesPerSecond,
      outBytesPerSecond: gauges.outBytesPerSecond,
      ...deps.liveTraffic(),
    },
    licence: {
      devices: info.max_license ?? 0,
      usedDevices,
      expiresAtMs: wallMs(wallSeconds(info.expired ?? 0) * 1000),
    },
  };
}

// Devices with their data usage, as calls show them. Pure.
import type { NetflowDevice } from '../../../shared/protocol/api/netflow/netflow.ts';
import { NETFLOW_KINDS, PLAN_ACTIONS } from '../../../shared/protocol/netflow/netflowWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { planBytes, withOverhead } from '../../netflow/rules/planLevels.ts';
import { periodAt } from '../../netflow/rules/planPeriod.ts';
import type { NetflowDeviceRow } from '../../store/netflow/netflowDevices.ts';
import type { NetflowForCalls } from './netflowDeps.ts';

export interface ShownAt extends Pick<NetflowForCalls, 'overheadPercent' | 'isLimited'> {
  readonly nowMs: number;
}

export function showDevice(row: NetflowDeviceRow, { overheadPercent, isLimited, nowMs }: ShownAt): NetflowDevice {
  const shown = (bytes: number | null): number => withOverhead(bytes ?? 0, overheadPercent);
  const calendar = { resetDay: row.reset_day ?? 1, timeZone: row.plan_time_zone ?? row.time_zone };
  // What was never written has used nothing yet.
  const { fromMs, toMs } =
    row.from_ms === null || row.to_ms === null ? periodAt(calendar, nowMs) : { fromMs: row.from_ms, toMs: row.to_ms };
  const kinds = row.kinds === null ? [] : (JSON.parse(row.kinds) as readonly number[]);
  const forecast = row.forecast_bytes ?? -1;
  return {
    deviceid: row.device_id,
    name: row.name,
    plate: row.plate,
    group: row.device_group ?? 0,
    groupName: row.group_name ?? '',
    fromMs: wallMs(fromMs),
    toMs: wallMs(toMs),
    timeZone: calendar.timeZone,
    receivedBytes: shown(row.received_bytes),
    sentBytes: shown(row.sent_bytes),
    kinds: NETFLOW_KINDS.map((_, kind) => shown(kinds[kind] ?? 0)),
    todayBytes: shown(row.today_bytes),
    forecastBytes: forecast < 0 ? null : shown(forecast),
    plan: row.plan ?? 0,
    planName: row.plan_name ?? '',
    planBytes: planBytes(row.megabytes ?? 0),
    action: PLAN_ACTIONS.find((action) => action === row.action) ?? 'none',
    isLimited: isLimited(row.incarnation),
    ...simOf(row, nowMs),
    reportedIccid: row.reported_iccid ?? '',
  };
}

function simOf(row: NetflowDeviceRow, nowMs: number) {
  const liftedUntilMs = row.lifted_until_ms ?? 0;
  const isLifted = liftedUntilMs > nowMs;
  return {
    liftedUntilMs: wallMs(isLifted ? liftedUntilMs : 0),
    liftedBy: isLifted ? (row.lifted_by ?? '') : '',
    simNumber: row.number ?? '',
    simIccid: row.iccid ?? '',
    simExpiryDay: row.expiry_day ?? '',
    simVersion: row.sim_version ?? 0,
  };
}

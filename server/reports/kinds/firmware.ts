import {
  FIRMWARE_DEVICE_STATES,
  FIRMWARE_ENDED_STATES,
  type FirmwareDeviceState,
} from '../../../shared/protocol/firmware/firmwareWords.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { ReportDevice } from '../reportDevices.ts';
import type { ReportKindDefinition, ReportQuery, ReportRowValues, ReportSources } from '../reportKind.ts';
import { byDevices, incarnationsOf, inOrderOf } from './inParts.ts';

/** Devices of the member group's tasks that began before the end of the period, but for those that had ended before it. */
export const firmware: ReportKindDefinition = {
  kind: 'firmware',
  columns: [
    { name: 'device', type: 'device' },
    { name: 'firmwareTask', type: 'text' },
    { name: 'imageVersion', type: 'text' },
    { name: 'updateState', type: 'code' },
    { name: 'attempts', type: 'count' },
    { name: 'versionBefore', type: 'text' },
    { name: 'versionAfter', type: 'text' },
    { name: 'start', type: 'time' },
    { name: 'end', type: 'time' },
    { name: 'updateFault', type: 'code' },
  ],
  filters: ['devices'],
  chart: null,
  moment: 'start',
  permissions: [Permission.FirmwareUpdate],
  needsDevices: true,
  run: (query, sources) => byDevices(query, (devices) => loadUpdates(query, sources, devices)),
};

const numberOf = (state: FirmwareDeviceState): number => FIRMWARE_DEVICE_STATES.indexOf(state);
const ENDED = FIRMWARE_ENDED_STATES.map(numberOf);

async function loadUpdates(
  { memberGroup, fromMs, toMs }: ReportQuery,
  { db }: ReportSources,
  devices: readonly ReportDevice[],
): Promise<ReportRowValues[]> {
  const rows = await db
    .selectFrom('firmware_device')
    .innerJoin('firmware_task', 'firmware_task.id', 'firmware_device.task')
    .innerJoin('firmware_image', 'firmware_image.id', 'firmware_task.image')
    .select(['firmware_device.incarnation', 'firmware_device.state', 'firmware_device.fault'])
    .select(['firmware_device.attempts', 'firmware_device.changed_at_ms', 'firmware_task.name'])
    .select(['firmware_device.version_before', 'firmware_device.version_after', 'firmware_image.firmware_version'])
    .select(({ selectFrom }) =>
      selectFrom('firmware_step')
        .select(({ fn }) => fn.min('at_ms').as('at_ms'))
        .whereRef('firmware_step.device', '=', 'firmware_device.id')
        .where('firmware_step.state', '=', numberOf('sending'))
        .as('begun_at_ms'),
    )
    .where('firmware_device.incarnation', 'in', incarnationsOf(devices))
    .where('firmware_task.member_group', '=', memberGroup)
    .where('firmware_task.started_at_ms', '<', toMs)
    .where(({ eb, or }) =>
      or([eb('firmware_device.state', 'not in', ENDED), eb('firmware_device.changed_at_ms', '>=', fromMs)]),
    )
    .orderBy('firmware_device.id')
    .execute();
  return inOrderOf(devices, rows, (row) => row.incarnation).map(([{ deviceId }, row]) => ({
    deviceId,
    values: [
      deviceId,
      row.name,
      row.firmware_version,
      FIRMWARE_DEVICE_STATES[row.state] ?? '',
      row.attempts,
      row.version_before,
      row.version_after,
      row.begun_at_ms,
      ENDED.includes(row.state) ? row.changed_at_ms : null,
      row.fault,
    ],
  }));
}

// Which firmware the devices of the member group run.
import type { FastifyInstance } from 'fastify';
import {
  FIRMWARE_INSTALLED_PATH,
  FIRMWARE_VERSIONS_PATH,
  FirmwareVersions,
  INSTALLED_DEVICE_SORTS,
  InstalledDevice,
  InstalledVersionFilters,
} from '../../../shared/protocol/api/firmware/images.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok } from '../kernel/envelope.ts';
import { csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { MAY_UPDATE_FIRMWARE as config, type FirmwareImageDeps } from './firmwareImageDeps.ts';

/** `GET /api/firmware/versions` and `/api/firmware/installed`. */
export function registerFirmwareVersions(app: FastifyInstance, deps: FirmwareImageDeps): void {
  const schema = { summary: 'Firmware versions in the fleet', response: answers(FirmwareVersions) };
  app.get(FIRMWARE_VERSIONS_PATH, { schema, config }, async (request) =>
    ok(await deps.stores.firmwareVersions.versions(scopeOf(callerOf(request)).memberGroup)),
  );
  registerDevices(app, deps);
}

function registerDevices(app: FastifyInstance, { stores, isOnline }: FirmwareImageDeps): void {
  listRoutes(app, {
    path: FIRMWARE_INSTALLED_PATH,
    summary: 'Devices with one firmware version',
    access: config.access,
    row: InstalledDevice,
    sorts: INSTALLED_DEVICE_SORTS,
    order: { sort: 'name', descending: false },
    filters: InstalledVersionFilters,
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async ({ filters, ...query }, memberGroup) => {
      const { manufacturer = '', model = '', firmwareVersion = '' } = filters;
      const version = { manufacturer, model, firmwareVersion };
      const page = await stores.firmwareVersions.devices({ ...query, version, memberGroup });
      const toRow = ({ deviceId: deviceid, reportedAtMs, ...rest }: NonNullable<typeof page>['rows'][number]) => ({
        ...rest,
        deviceid,
        reportedAtMs: wallMs(reportedAtMs),
        isOnline: isOnline(deviceid),
      });
      return page && { ...page, rows: page.rows.map(toRow) };
    },
    csv: {
      fileName: 'firmware-installed.csv',
      columns: ['deviceid', 'name', 'plate', 'hardware version', 'reported'],
      cells: () => (device) => [
        device.deviceid,
        device.name,
        device.plate,
        device.hardwareVersion,
        csvTimestamp(device.reportedAtMs),
      ],
    },
  });
}

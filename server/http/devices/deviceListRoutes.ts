import type { FastifyInstance } from 'fastify';
import {
  DEVICE_SORTS,
  DEVICES_PATH,
  DeviceFilters,
  DeviceRow,
  type DeviceSort,
} from '../../../shared/protocol/api/devices.ts';
import { IMPORT_COLUMNS } from '../../../shared/protocol/api/imports/deviceColumns.ts';
import { branchOf, type DeviceReach, pathsOf } from '../../devices/reach.ts';
import type { DevicePageQuery } from '../../store/devices/deviceList.ts';
import type { DeviceScope } from '../../store/devices/devicePage.ts';
import { type ListQuery, listRoutes } from '../kernel/lists/listRoutes.ts';
import { cellsOf } from './columns.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { PresenceList } from './presenceList.ts';
import { toRow } from './rows.ts';
import { ACCESS, deviceReachOf } from './scope.ts';

/** `GET /api/devicegroup/devices`, and the same as a file that can be imported. */
export async function registerDeviceList(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const { terminals, stores } = deps;
  const isOnline = (deviceId: string) => terminals.presence(deviceId).onlineSinceMs !== undefined;
  listRoutes(app, {
    path: DEVICES_PATH,
    summary: 'Devices',
    access: ACCESS,
    row: DeviceRow,
    sorts: DEVICE_SORTS,
    order: { sort: 'name', descending: false },
    filters: DeviceFilters,
    scope: async (request) => ({
      reach: await deviceReachOf(deps, request),
      byPresence: new PresenceList({ records: stores.deviceRecords, isOnline }),
    }),
    load: async (given, { reach, byPresence }) => {
      const query = queryOf(given, reach);
      const { state } = given.filters;
      const page = isOfPresence(state)
        ? await byPresence.page(query, state === 'online')
        : await stores.deviceRecords.page(query);
      return page === undefined ? undefined : { ...page, rows: page.rows.map((record) => toRow(record, terminals)) };
    },
    csv: {
      fileName: 'devices.csv',
      columns: IMPORT_COLUMNS,
      cells: ({ reach }) => {
        const paths = pathsOf(reach.groups);
        return (row) => cellsOf(row, paths);
      },
    },
  });
}

type GivenQuery = ListQuery<DeviceSort, typeof DeviceFilters>;

function isOfPresence(state: GivenQuery['filters']['state']): boolean {
  return state === 'online' || state === 'offline' || state === 'never';
}

function queryOf({ filters, ...query }: GivenQuery, { groups, devices }: DeviceReach): DevicePageQuery {
  const { group, nested, state, edition } = filters;
  const chosen = group === undefined ? devices : chosenScope(group, nested !== '0', groups);
  return {
    ...query,
    groups: chosen.groups,
    ungrouped: chosen.ungrouped,
    disabled: state === 'disabled' ? true : undefined,
    edition,
    registered: state === 'offline' ? true : state === 'never' ? false : undefined,
  };
}

/** A group that the caller does not see holds nothing. */
function chosenScope(group: string, isNested: boolean, groups: DeviceReach['groups']): DeviceScope {
  if (group === 'none') return { groups: [], ungrouped: true };
  const seen = groups.find(({ serialno }) => serialno === Number(group));
  if (seen === undefined) return { groups: [], ungrouped: false };
  return { groups: isNested ? branchOf(groups, seen.serialno) : [seen.serialno], ungrouped: false };
}

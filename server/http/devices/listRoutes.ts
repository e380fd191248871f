import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { DEVICE_SORTS, type DeviceSort } from '../../../shared/protocol/api/devices.ts';
import type { DeviceListQuery } from '../../store/devices/deviceList.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
import type { Edition } from '../../store/devices/terminalIdentity.ts';
import { sendCsv } from '../kernel/csv.ts';
import { EnvelopeOf, ErrorAnswers, ok } from '../kernel/envelope.ts';
import { listQueryFields, pageOf } from '../kernel/listQuery.ts';
import { cellsOf, IMPORT_COLUMNS } from './columns.ts';
import type { DeviceGroupDeps } from './deps.ts';
import { toRow } from './rows.ts';
import { Row } from './schemas.ts';
import { branchOf, type CallerScope, callerScope, ACCESS as config, pathsOf } from './scope.ts';

const ListQuery = Type.Object(
  {
    ...listQueryFields(DEVICE_SORTS),
    /** A group's number, or `none` for devices in no group. */
    group: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,14}|none)$' })),
    /** 0: without the groups beneath. */
    nested: Type.Optional(Type.Enum(['0', '1'])),
    state: Type.Optional(Type.Enum(['online', 'offline', 'never', 'disabled'])),
    edition: Type.Optional(Type.Enum(['2011', '2013', '2019'])),
  },
  { additionalProperties: false },
);
type ListQuery = Type.Static<typeof ListQuery>;

const ROWS_A_BATCH = 1_000;

/** `GET /api/devicegroup/devices` and `/devices/csv`. */
export async function registerDeviceList(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const page = Type.Object({ total: Type.Integer(), rows: Type.Array(Row) });
  const response = { 200: EnvelopeOf(page), ...ErrorAnswers };
  const listing = { summary: 'A page of devices', querystring: ListQuery, response };
  routes.get('/api/devicegroup/devices', { schema: listing, config }, async (request) => {
    const query = queryOf(request.query, await callerScope(deps, request));
    const { total, records } = await pageOfRecords(deps, query, request.query);
    return ok({ total, rows: records.map((record) => toRow(record, deps.terminals)) });
  });

  const exporting = { summary: 'Devices as a file that can be imported', querystring: ListQuery };
  routes.get('/api/devicegroup/devices/csv', { schema: exporting, config }, async (request, reply) => {
    const scope = await callerScope(deps, request);
    const ids = await idsOf(deps, queryOf(request.query, scope), request.query.state);
    return sendCsv(reply, 'devices.csv', batches(deps, ids, pathsOf(scope.groups)));
  });
}

async function* batches(deps: DeviceGroupDeps, ids: readonly string[], paths: ReadonlyMap<number, string>) {
  yield [IMPORT_COLUMNS];
  for (let at = 0; at < ids.length; at += ROWS_A_BATCH) {
    const records = await deps.stores.deviceRecords.findMany(ids.slice(at, at + ROWS_A_BATCH));
    yield records.map((record) => cellsOf(record, paths));
  }
}

interface RecordPage {
  readonly total: number;
  readonly records: readonly DeviceRecord[];
}

/** Who is connected is known here and not in the database, so those lists are cut here. */
async function pageOfRecords(deps: DeviceGroupDeps, query: DeviceListQuery, request: ListQuery): Promise<RecordPage> {
  const { deviceRecords } = deps.stores;
  const { offset, limit } = pageOf(request);
  if (!isOfPresence(request.state)) {
    const [total, records] = await Promise.all([
      deviceRecords.count(query),
      deviceRecords.page(query, { offset, limit }),
    ]);
    return { total, records };
  }
  const ids = await idsOf(deps, query, request.state);
  return { total: ids.length, records: await deviceRecords.findMany(ids.slice(offset, offset + limit)) };
}

async function idsOf(deps: DeviceGroupDeps, query: DeviceListQuery, state: ListQuery['state']): Promise<string[]> {
  const ids = await deps.stores.deviceRecords.ids(query);
  if (!isOfPresence(state)) return ids;
  const wantsOnline = state === 'online';
  return ids.filter((id) => (deps.terminals.presence(id).onlineSinceMs !== undefined) === wantsOnline);
}

function isOfPresence(state: ListQuery['state']): boolean {
  return state === 'online' || state === 'offline' || state === 'never';
}

function queryOf(request: ListQuery, { groups, devices }: CallerScope): DeviceListQuery {
  const { group, state } = request;
  return {
    ...(group === undefined ? devices : chosenScope(group, request.nested !== '0', groups)),
    search: request.search ?? '',
    disabled: state === 'disabled' ? true : undefined,
    edition: request.edition as Edition | undefined,
    registered: state === 'offline' ? true : state === 'never' ? false : undefined,
    sort: (request.sort as DeviceSort | undefined) ?? 'name',
    descending: request.descending === '1',
  };
}

/** A group that the caller does not see holds nothing. */
function chosenScope(group: string, nested: boolean, groups: CallerScope['groups']) {
  if (group === 'none') return { groups: [], ungrouped: true };
  const seen = groups.find(({ serialno }) => serialno === Number(group));
  if (seen === undefined) return { groups: [], ungrouped: false };
  return { groups: nested ? branchOf(groups, seen.serialno) : [seen.serialno], ungrouped: false };
}

// Devices with their data usage: as a list, and as files.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DownloadAddress } from '../../../shared/protocol/api/lists.ts';
import {
  NETFLOW_DEVICE_SORTS,
  NETFLOW_DEVICES_PATH,
  NETFLOW_FILE_PATH,
  NetflowDevice,
  NetflowDeviceFilters,
  NetflowFile,
} from '../../../shared/protocol/api/netflow/netflow.ts';
import type { ListPosition } from '../../store/engine/listPage.ts';
import type { NetflowDeviceQuery } from '../../store/netflow/netflowDevices.ts';
import { answers } from '../kernel/answers.ts';
import { ok } from '../kernel/envelope.ts';
import { type CsvRow, sendCsv } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { sendSheet } from '../kernel/lists/sheet/sendSheet.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { groupsInside, MAY_SEE_USAGE, memberGroupOf, NETFLOW_ACCESS, type NetflowDeps } from './netflowDeps.ts';
import { csvRowOf, netflowSheet } from './netflowFile.ts';
import { showDevice } from './netflowRows.ts';

export function registerNetflowDevices(app: FastifyInstance, deps: NetflowDeps): void {
  listRoutes(app, {
    path: NETFLOW_DEVICES_PATH,
    summary: 'Data usage of devices',
    access: NETFLOW_ACCESS,
    row: NetflowDevice,
    sorts: NETFLOW_DEVICE_SORTS,
    order: { sort: 'usedBytes', descending: true },
    filters: NetflowDeviceFilters,
    scope: memberGroupOf,
    load: async ({ filters, search, ...page }, memberGroup) => {
      const groups = await groupsInside(filters.group, deps);
      return loadPage({ ...page, memberGroup, search, groups, plan: filters.plan }, deps);
    },
    csv: {
      fileName: 'data-usage.csv',
      columns: [
        'device',
        'name',
        'plate',
        'group',
        'received bytes',
        'sent bytes',
        'today bytes',
        'plan',
        'plan bytes',
      ],
      cells: () => (row) => [
        row.deviceid,
        row.name,
        row.plate,
        row.groupName,
        row.receivedBytes,
        row.sentBytes,
        row.todayBytes,
        row.planName,
        row.planBytes,
      ],
    },
  });
  registerFile(app, deps);
}

async function loadPage(query: Omit<NetflowDeviceQuery, 'overheadPercent'>, { stores, netflow, now }: NetflowDeps) {
  const { overheadPercent } = netflow;
  const page = await stores.netflowDevices.page({ ...query, overheadPercent });
  const shown = { ...netflow, nowMs: now() };
  return page && { ...page, rows: page.rows.map((row) => showDevice(row, shown)) };
}

function registerFile(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Data usage as a file', querystring: NetflowFile, response: answers(DownloadAddress) };
  routes.post(NETFLOW_FILE_PATH, { schema, config: { ...MAY_SEE_USAGE, changes: [] } }, async (request) => {
    const wanted = request.query;
    const address = app.downloads.offer(request, {
      access: NETFLOW_ACCESS,
      send: (current, answer, isAllowed) => sendFile(current, answer, { wanted, deps, isAllowed }),
    });
    return ok({ address });
  });
}

interface Sending {
  readonly wanted: NetflowFile;
  readonly deps: NetflowDeps;
  readonly isAllowed: () => Promise<boolean>;
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, { wanted, deps, isAllowed }: Sending) {
  const { format, language: lang } = wanted;
  const sheet = await netflowSheet(deps.localesRoot, { lang });
  await recordAudit(request, { action: 'netflow.file', detail: { format } });
  const batches = allDevices(memberGroupOf(request), deps, isAllowed);
  if (format === 'xlsx') return sendSheet(reply, 'data-usage.xlsx', { ...sheet, batches });
  return sendCsv(reply, 'data-usage.csv', csvRows(sheet, batches));
}

type Layout = Awaited<ReturnType<typeof netflowSheet>>;

async function* csvRows(
  { columns, cells }: Layout,
  batches: AsyncIterable<readonly NetflowDevice[]>,
): AsyncGenerator<readonly CsvRow[]> {
  yield [columns.map(({ title }) => title)];
  for await (const rows of batches) yield rows.map((row) => csvRowOf(cells(row)));
}

const FILE_PAGE = { sort: 'name', descending: false, limit: 500, wantsTotal: false } as const;

async function* allDevices(
  memberGroup: number,
  deps: NetflowDeps,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<readonly NetflowDevice[]> {
  let position: ListPosition | undefined = { at: 'offset', offset: 0 };
  while (position !== undefined) {
    const query = { ...FILE_PAGE, position, memberGroup, search: '', groups: undefined, plan: undefined };
    const page = await loadPage(query, deps);
    if (page === undefined) throw new Error('a list does not know its own cursor');
    yield page.rows;
    position = page.next === undefined ? undefined : { at: 'after', values: page.next };
    // A file that ends early looks like a whole one, so the download is broken off instead.
    if (position !== undefined && !(await isAllowed())) throw new Error('the caller may not have the list any more');
  }
}

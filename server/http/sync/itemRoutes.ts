// Items of data sync: the list, what members do with them, and what they ask for.
import { open } from 'node:fs/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DownloadAddress } from '../../../shared/protocol/api/lists.ts';
import {
  MAX_SYNC_AHEAD_MS,
  MAX_SYNC_REQUEST_MS,
  SYNC_ACT_PATH,
  SYNC_FILE_PATH,
  SYNC_ITEM_SORTS,
  SYNC_ITEMS_PATH,
  SYNC_REQUEST_PATH,
  SyncAct,
  SyncActed,
  SyncFileRequest,
  SyncItem,
  SyncItemFilters,
  SyncRequest,
  SyncRequested,
} from '../../../shared/protocol/api/sync/sync.ts';
import { guardStream } from '../../faults/streams.ts';
import type { ShownSyncItem } from '../../store/sync/syncItemPages.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, Refused, refuse, refusedFields } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { requestedChannels } from './requestedChannels.ts';
import { CHANNELS_UNKNOWN, MAY_SYNC as config, NO_FILE, type SyncRoutesDeps } from './syncDeps.ts';
import { ITEM_CSV_COLUMNS, itemCells, toSyncItem } from './syncRows.ts';

/** `/api/datasync/items`. */
export function registerSyncItems(app: FastifyInstance, { stores }: SyncRoutesDeps): void {
  listRoutes(app, {
    path: SYNC_ITEMS_PATH,
    summary: 'Items of data sync',
    access: config.access,
    row: SyncItem,
    sorts: SYNC_ITEM_SORTS,
    order: { sort: 'order', descending: false },
    filters: SyncItemFilters,
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: async ({ filters, ...query }, memberGroup) => {
      const { state, rule, deviceid: deviceId } = filters;
      const ofRule = rule === undefined ? undefined : Number(rule);
      const page = await stores.syncItemPages.page({ ...query, memberGroup, state, rule: ofRule, deviceId });
      return page && { ...page, rows: page.rows.map(toSyncItem) };
    },
    csv: { fileName: 'sync-items.csv', columns: ITEM_CSV_COLUMNS, cells: () => itemCells },
  });
}

/** `POST /api/datasync/act`: items that the caller doesn't see, or that the act is not for, are left unchanged. */
export function registerSyncAct(app: FastifyInstance, { stores, sync, now }: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Pauses, resumes, cancels or moves items', body: SyncAct, response: answers(SyncActed) };
  routes.post(SYNC_ACT_PATH, { schema, config }, async (request) => {
    const { items: ids, act } = request.body;
    const { memberGroup } = scopeOf(callerOf(request));
    const items = await stores.syncItemPages.some(ids, memberGroup);
    let count = 0;
    if (act === 'cancel' || act === 'pause') {
      const state = act === 'cancel' ? 'canceled' : 'paused';
      for (const item of items) if (await sync.engine.stopItem(item, { state, wait: '' })) count++;
    } else {
      const { least, greatest } = await stores.syncItems.positions();
      const position = act === 'first' ? least - items.length : greatest + 1;
      const acting = items.map(({ id }) => id);
      count = await stores.syncItemPages.act(acting, act, { atMs: now(), position });
      for (const { incarnation } of items) sync.engine.kick(incarnation);
    }
    if (count > 0) await auditAct(request, { act, items, count });
    sync.itemsChanged(memberGroup);
    return ok({ items: count });
  });
}

interface AuditedAct {
  readonly act: SyncAct['act'];
  readonly items: readonly ShownSyncItem[];
  readonly count: number;
}

async function auditAct(request: FastifyRequest, { act, items, count }: AuditedAct): Promise<void> {
  const devices = [...new Set(items.map(({ deviceId }) => deviceId))];
  await recordAudit(request, { action: 'syncitem.act', detail: { act, devices, count } });
}

/** `POST /api/datasync/request`. */
export function registerSyncRequest(app: FastifyInstance, { stores, sync, now }: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Fetches recordings of a device', body: SyncRequest, response: answers(SyncRequested) };
  routes.post(SYNC_REQUEST_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const { deviceid, channels: named, stream, fromMs, toMs } = request.body;
    const { memberGroup } = scopeOf(callerOf(request));
    const device = await stores.syncItemPages.device(deviceid, memberGroup);
    if (device === undefined) return refuse(reply, Refused.device);
    if (toMs <= fromMs || toMs - fromMs > MAX_SYNC_REQUEST_MS || toMs > now() + MAX_SYNC_AHEAD_MS)
      return refuse(reply, refusedFields({ toMs: 'out-of-range' }));
    const channels = requestedChannels(named, sync.channelsOf(device));
    if (channels === undefined) return refuse(reply, refusedFields({ channels: 'unknown' }));
    if (channels.length === 0) return refuse(reply, CHANNELS_UNKNOWN);
    const by = callerOf(request).user.username;
    const requested = await sync.requests.forMember({ device, channels, stream, fromMs, toMs, memberGroup, by });
    await recordAudit(request, { action: 'syncitem.request', target: deviceid, detail: { channels, fromMs, toMs } });
    sync.itemsChanged(memberGroup);
    return ok(requested);
  });
}

/** `POST /api/datasync/file`: where to download a file that is no readable video. */
export function registerSyncFile(app: FastifyInstance, deps: SyncRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'A file that is no readable video',
    body: SyncFileRequest,
    response: answers(DownloadAddress),
  };
  const changes = [] as const;
  routes.post(SYNC_FILE_PATH, { schema, config: { ...config, changes } }, async (request, reply) => {
    const id = request.body.item;
    const item = await findFile(request, id, deps);
    if (item === undefined) return refuse(reply, NO_FILE);
    await recordAudit(request, { action: 'syncitem.file', target: item.deviceId, detail: { channel: item.channel } });
    const address = app.downloads.offer(request, {
      access: config.access,
      // Devices move, and files are deleted: asked again when the address is used.
      send: async (current, answer) => sendFile(answer, await findFile(current, id, deps), deps),
    });
    return ok({ address });
  });
}

async function findFile(
  request: FastifyRequest,
  id: number,
  { stores }: SyncRoutesDeps,
): Promise<ShownSyncItem | undefined> {
  const [item] = await stores.syncItemPages.some([id], scopeOf(callerOf(request)).memberGroup);
  return item === undefined || item.file === '' ? undefined : item;
}

async function sendFile(
  reply: FastifyReply,
  item: ShownSyncItem | undefined,
  { sync }: SyncRoutesDeps,
): Promise<FastifyReply> {
  if (item === undefined) return refuse(reply, NO_FILE);
  const handle = await open(sync.pathOf(item.file)).catch(() => undefined);
  if (handle === undefined) return refuse(reply, NO_FILE);
  const { size } = await handle.stat();
  return reply
    .type('application/octet-stream')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="device-file-${item.id}.bin"`)
    .send(guardStream(handle.createReadStream()));
}

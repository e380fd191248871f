import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  LINK_DEVICES_PATH,
  LINK_SORTS,
  LINKS_PATH,
  LinkDevices,
  LinkFilters,
  LinkRow,
  MadeLink,
  maskOfChannels,
  NewLink,
} from '../../../shared/protocol/api/links.ts';
import { MAX_SEARCH_LENGTH } from '../../../shared/protocol/api/lists.ts';
import { closed, IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { createSecret, hashSecret } from '../../auth/secrets.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { Device } from '../../store/devices/devices.ts';
import type { LinkScope } from '../../store/links/linkList.ts';
import type { Stores } from '../../store/stores.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import type { Caller } from '../kernel/recognise.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { registerChanging } from '../kernel/recordChanges.ts';
import { faultsOfLink } from './checkLink.ts';
import { LINK_CSV_COLUMNS, linkCells } from './linkCsv.ts';
import { registerView } from './viewRoute.ts';

export interface LinkDeps {
  readonly stores: Pick<Stores, 'linkList' | 'linkCredentials' | 'devices' | 'memberGroups'>;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

/** Active links created by one account: one for each of a thousand vehicles. A further one is refused with 409 `too-many-links`. */
export const LINKS_LIMIT: Limit = { name: 'account.links.account', max: 1_000 };

const config = { access: { kind: 'permissions', all: [Permission.Link] } } as const;
const NO_SUCH_LINK = {
  status: 404,
  code: 'no-such-link',
  message: "Share link not found, or you don't have access to it.",
} as const;
const TOO_MANY_LINKS = {
  status: 409,
  code: 'too-many-links',
  message: "You've reached the limit of active share links. Revoke some first.",
} as const;
/** For a field that completes what is typed. */
const DEVICES_AT_ONCE = 50;

/** Share links, and the credentials that our own pages open a device's video with. */
export async function registerLinkRoutes(app: FastifyInstance, deps: LinkDeps): Promise<void> {
  await registerView(app, deps);
  await registerChanging(app, ['link'], (routes) => registerLinks(routes, deps));
}

/** `/api/link/links` and what a form to make one needs. */
async function registerLinks(app: FastifyInstance, deps: LinkDeps): Promise<void> {
  registerLists(app, deps);
  registerChanges(app, deps);
}

function registerLists(app: FastifyInstance, { stores, now }: LinkDeps): void {
  listRoutes(app, {
    path: LINKS_PATH,
    summary: 'Links',
    access: config.access,
    row: LinkRow,
    sorts: LINK_SORTS,
    order: { sort: 'created', descending: true },
    filters: LinkFilters,
    // One moment for all pages of an export, so that no link expires between two of them.
    scope: (request) => ({ ...linkScopeOf(callerOf(request)), now: now() }),
    load: ({ filters: { state, deviceid }, ...query }, scope) =>
      stores.linkList.page({ ...query, ...scope, state, deviceId: deviceid }),
    csv: { fileName: 'links.csv', columns: LINK_CSV_COLUMNS, cells: () => linkCells },
  });

  app.withTypeProvider<TypeBoxTypeProvider>().get(
    LINK_DEVICES_PATH,
    {
      schema: {
        summary: 'Devices that a link can be made for',
        querystring: Type.Object({ search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH })) }, closed),
        response: answers(LinkDevices),
      },
      config,
    },
    async (request) => {
      const { memberGroup } = scopeOf(callerOf(request));
      return ok(await stores.linkList.devicesSeen(memberGroup, request.query.search ?? '', DEVICES_AT_ONCE));
    },
  );
}

function registerChanges(app: FastifyInstance, { stores, now, onLimit }: LinkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.post(
    LINKS_PATH,
    {
      schema: { summary: 'Makes a link; its credential is said once', body: NewLink, response: answers(MadeLink) },
      config,
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const device = await seenDevice(stores, caller, request.body.deviceid);
      const faults = faultsOfLink(request.body, { device, permissions: caller.user.permissions, now: now() });
      if (faults !== undefined) return refuse(reply, refusedFields(faults));
      if ((await stores.linkCredentials.countInForce(caller.user.id, now())) >= LINKS_LIMIT.max) {
        onLimit(LINKS_LIMIT);
        return refuse(reply, TOO_MANY_LINKS);
      }
      return ok(await makeLink(request, request.body, { stores, now }));
    },
  );

  routes.delete(
    `${LINKS_PATH}/:id`,
    {
      schema: {
        summary: 'Revokes a link; what it shows ends within two seconds',
        params: Type.Object({ id: IdText }),
        response: answers(Nothing),
      },
      config,
    },
    async (request, reply) => {
      const scope = linkScopeOf(callerOf(request));
      const link = await stores.linkList.find(Number(request.params.id), scope, now());
      if (link === undefined) return refuse(reply, NO_SUCH_LINK);
      // Revoking twice is no fault: the link is as it was to be.
      if (await stores.linkCredentials.revoke(link.id, now())) {
        const before = { id: link.id, owner: link.owner, note: link.note };
        await recordAudit(request, { action: 'link.revoke', target: link.deviceid, before });
      }
      return ok({});
    },
  );
}

/** One's own, wherever their devices are by now; with `system` also those of others for devices of the current group. */
function linkScopeOf(caller: Caller): LinkScope {
  const { userId, isAdministrator, memberGroup } = scopeOf(caller);
  return isAdministrator ? { ownerId: userId, memberGroup } : { ownerId: userId };
}

async function seenDevice(
  { devices, memberGroups }: LinkDeps['stores'],
  caller: Caller,
  deviceId: string,
): Promise<Device | undefined> {
  const { userId, memberGroup } = scopeOf(caller);
  const isSeen = await memberGroups.userSeesDevice(userId, deviceId, memberGroup);
  return isSeen ? devices.findByDeviceId(deviceId) : undefined;
}

async function makeLink(
  request: FastifyRequest,
  link: NewLink,
  { stores, now }: Omit<LinkDeps, 'onLimit'>,
): Promise<MadeLink> {
  const { user } = callerOf(request);
  const { deviceid, channels, kinds, untilMs, note } = link;
  const credential = createSecret();
  const channelMask = maskOfChannels(channels);
  const id = await stores.linkCredentials.insert(
    {
      secretHash: hashSecret(credential),
      ownerId: user.id,
      deviceId: deviceid,
      channelMask,
      kinds,
      expiresAtMs: wallMs(untilMs),
      note: note.trim(),
    },
    now(),
  );
  await recordAudit(request, { action: 'link.add', target: deviceid, after: { id, ...link } });
  return { id, device: `${deviceid}@${channelMask}`, username: user.username, credential };
}

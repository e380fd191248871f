import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { LINK_CHANNELS_MAX, type LinkRow, maskOfChannels, type NewLink } from '../../../shared/protocol/api/links.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { createSecret, hashSecret } from '../../auth/secrets.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { Device } from '../../store/devices/devices.ts';
import type { LinkListQuery as ListQuery } from '../../store/links/linkList.ts';
import type { Stores } from '../../store/stores.ts';
import { allRows, csvTimestamp } from '../kernel/allRows.ts';
import { callerOf } from '../kernel/caller.ts';
import { sendCsv } from '../kernel/csv.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../kernel/envelope.ts';
import { pageOf } from '../kernel/listQuery.ts';
import type { Caller } from '../kernel/recognise.ts';
import { registerChanging } from '../kernel/recordChanges.ts';
import { faultsOfLink } from './checkLink.ts';
import {
  LinkDeviceQuery,
  LinkDeviceSchema,
  LinkId,
  LinkListQuery,
  LinkRowSchema,
  MadeLinkSchema,
  NewLinkBody,
} from './schemas.ts';
import { linkScopeOf, NO_GROUP } from './scope.ts';
import { registerView } from './viewRoute.ts';

export interface LinkDeps {
  readonly stores: Pick<Stores, 'linkList' | 'linkCredentials' | 'devices' | 'memberGroups' | 'audit'>;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

/** Links in force that one account has given away: one for each of a thousand vehicles. */
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
export async function registerLinks(app: FastifyInstance, deps: LinkDeps): Promise<void> {
  registerLists(app, deps);
  registerChanges(app, deps);
}

function registerLists(app: FastifyInstance, { stores, now }: LinkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const Rows = Type.Object({ total: Type.Integer(), rows: Type.Array(LinkRowSchema) });

  routes.get(
    '/api/link/links',
    {
      schema: { summary: 'Links', querystring: LinkListQuery, response: { 200: EnvelopeOf(Rows), ...ErrorAnswers } },
      config,
    },
    async (request) => {
      const query = queryOf(callerOf(request), request.query, now());
      const [total, rows] = await Promise.all([
        stores.linkList.count(query),
        stores.linkList.page(query, pageOf(request.query)),
      ]);
      return ok({ total, rows: rows.map(toWire) });
    },
  );

  routes.get(
    '/api/link/links/csv',
    { schema: { summary: 'Links as CSV', querystring: LinkListQuery, response: ErrorAnswers }, config },
    async (request, reply) => {
      const query = queryOf(callerOf(request), request.query, now());
      return sendCsv(
        reply,
        'links.csv',
        csvOf((page) => stores.linkList.page(query, page)),
      );
    },
  );

  routes.get(
    '/api/link/devices',
    {
      schema: {
        summary: 'Devices that a link can be made for',
        querystring: LinkDeviceQuery,
        response: { 200: EnvelopeOf(Type.Array(LinkDeviceSchema)), ...ErrorAnswers },
      },
      config,
    },
    async (request) => {
      const group = callerOf(request).session.memberGroup ?? NO_GROUP;
      return ok(await stores.linkList.devicesSeen(group, request.query.search ?? '', DEVICES_AT_ONCE));
    },
  );
}

function registerChanges(app: FastifyInstance, { stores, now, onLimit }: LinkDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();

  routes.post(
    '/api/link/links',
    {
      schema: {
        summary: 'Makes a link; its credential is said once',
        body: NewLinkBody,
        response: { 200: EnvelopeOf(MadeLinkSchema), ...ErrorAnswers },
      },
      config,
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const device = await seenDevice(stores, caller, request.body.deviceid);
      const faults = faultsOfLink(request.body, { device, permissions: caller.user.permissions, now: now() });
      if (faults !== undefined) return refuse(reply, { ...Refused.fields, data: { fields: faults } });
      if ((await stores.linkCredentials.countInForce(caller.user.id, now())) >= LINKS_LIMIT.max) {
        onLimit(LINKS_LIMIT);
        return refuse(reply, TOO_MANY_LINKS);
      }
      return ok(await makeLink(request, request.body, { stores, now }));
    },
  );

  routes.delete(
    '/api/link/links/:id',
    {
      schema: {
        summary: 'Revokes a link; what it shows ends within two seconds',
        params: LinkId,
        response: { 200: EnvelopeOf(Type.Object({})), ...ErrorAnswers },
      },
      config,
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const link = await stores.linkList.find(Number(request.params.id), linkScopeOf(caller), now());
      if (link === undefined) return refuse(reply, NO_SUCH_LINK);
      // Revoking twice is no fault: the link is as it was wished.
      if (await stores.linkCredentials.revoke(link.id, now())) {
        const before = { id: link.id, owner: link.owner, note: link.note };
        await stores.audit.add(entryOf(request, 'link.revoke', link.deviceid, { before }), now());
      }
      return ok({});
    },
  );
}

async function seenDevice(
  { devices, memberGroups }: LinkDeps['stores'],
  { user, session }: Caller,
  deviceId: string,
): Promise<Device | undefined> {
  const isSeen = await memberGroups.userSeesDevice(user.id, deviceId, session.memberGroup ?? NO_GROUP);
  return isSeen ? devices.findByDeviceId(deviceId) : undefined;
}

async function makeLink(request: FastifyRequest, link: NewLink, { stores, now }: Omit<LinkDeps, 'onLimit'>) {
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
  await stores.audit.add(entryOf(request, 'link.add', deviceid, { after: { id, ...link } }), now());
  return { id, device: `${deviceid}@${channelMask}`, username: user.username, credential };
}

function entryOf(
  request: FastifyRequest,
  action: string,
  target: string,
  change: { readonly before?: Readonly<Record<string, unknown>>; readonly after?: Readonly<Record<string, unknown>> },
) {
  return { actor: callerOf(request).user.username, action, target, address: request.ip, ...change };
}

function queryOf(caller: Caller, given: Static<typeof LinkListQuery>, now: WallMs): ListQuery {
  const { search = '', state, deviceid, sort = 'created', descending } = given;
  // Without a wish the newest come first.
  const isDescending = given.sort === undefined ? true : descending === '1';
  return { ...linkScopeOf(caller), search, state, deviceId: deviceid, sort, descending: isDescending, now };
}

const CSV_HEAD = [
  ...(['id', 'deviceid', 'device', 'plate', 'owner', 'channels', 'kinds', 'note', 'state'] as const),
  ...(['created', 'until', 'revoked', 'last used', 'uses', 'last address'] as const),
];

async function* csvOf(load: Parameters<typeof allRows<LinkRow>>[0]): AsyncGenerator<readonly (readonly string[])[]> {
  yield [CSV_HEAD];
  yield* allRows(load, (row) => [
    String(row.id),
    row.deviceid,
    row.name,
    row.plate,
    row.owner,
    channelText(row.channels),
    row.kinds.join(' '),
    row.note,
    row.state,
    ...[row.createdAtMs, row.untilMs, row.revokedAtMs, row.lastUsedAtMs].map(csvTimestamp),
    String(row.useCount),
    row.lastAddress,
  ]);
}

/** The schemas' lists may be changed, the store's may not. */
function toWire(row: LinkRow) {
  return { ...row, channels: [...row.channels], kinds: [...row.kinds] };
}

function channelText(channels: readonly number[]): string {
  return channels.length === LINK_CHANNELS_MAX ? 'all' : channels.join(' ');
}

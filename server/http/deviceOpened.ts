// A device that a request opens by a link or by a session: for calls that both may make.
import type { FastifyRequest } from 'fastify';
import type { LinkAccess } from '../auth/linkAccess.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { Device, DeviceStore } from '../store/devices.ts';
import type { MemberGroupStore } from '../store/memberGroups.ts';
import type { Access } from './access.ts';
import { type Refusal, Refused } from './envelope.ts';
import { recognise, refusalFor, textsOf } from './recognise.ts';

export interface DeviceOpened {
  readonly device: Device;
  readonly opensChannel: (channel: number) => boolean;
  /** Tells one caller from another. */
  readonly owner: string;
  /** Whose share of what is limited it takes: the user whose session it is, or the link that was given away. */
  readonly account: string;
  /** For the audit. */
  readonly actor: string;
  /** Asks again, for what lasts. */
  readonly stillOpen: () => Promise<boolean>;
}

export interface DeviceOpenedDeps {
  readonly sessions: Sessions;
  readonly linkAccess: LinkAccess;
  readonly devices: Pick<DeviceStore, 'findByDeviceId'>;
  readonly memberGroups: Pick<MemberGroupStore, 'userSeesDevice'>;
}

type LinkOrPermission = Extract<Access, { kind: 'link-or-permission' }>;

/** Why not, when the device is not opened. */
export async function openDevice(
  request: FastifyRequest,
  access: LinkOrPermission,
  deps: DeviceOpenedDeps,
): Promise<DeviceOpened | Refusal> {
  const opened = await ask(request, access, deps);
  if ('status' in opened) return opened;
  return { ...opened, stillOpen: async () => !('status' in (await ask(request, access, deps))) };
}

function ask(request: FastifyRequest, access: LinkOrPermission, deps: DeviceOpenedDeps) {
  const given = { ...textsOf(request.body), ...textsOf(request.query) };
  const isLink = given.username !== undefined || given.credential !== undefined;
  return isLink ? askLink(given, access, deps) : askSession(request, given.deviceid ?? '', { access, deps });
}

type Asked = Omit<DeviceOpened, 'stillOpen'> | Refusal;

async function askLink(
  { username = '', credential = '', deviceid = '' }: Partial<Record<string, string>>,
  { link }: LinkOrPermission,
  { linkAccess }: DeviceOpenedDeps,
): Promise<Asked> {
  const answer = await linkAccess.check({ username, credential, deviceId: deviceid, kind: link });
  if (!answer.ok) return Refused.link;
  const { device, opensChannel, credential: used } = answer;
  const account = used.sessionIdHash === undefined ? `link:${used.id}` : `user:${used.ownerId}`;
  return { device, opensChannel, owner: `link:${used.id}`, account, actor: username };
}

async function askSession(
  request: FastifyRequest,
  deviceId: string,
  { access, deps }: { readonly access: LinkOrPermission; readonly deps: DeviceOpenedDeps },
): Promise<Asked> {
  const caller = await recognise(request, deps.sessions);
  const refusal = refusalFor(caller, [access.permission]);
  if (caller === undefined || refusal !== undefined) return refusal ?? Refused.notSignedIn;
  const { user, session } = caller;
  const device = await deps.devices.findByDeviceId(deviceId);
  const isSeen = await deps.memberGroups.userSeesDevice(user.id, deviceId, session.memberGroup ?? NO_GROUP);
  if (device === undefined || !isSeen) return Refused.device;
  const owner = `user:${user.id}`;
  return { device, opensChannel: () => true, owner, account: owner, actor: user.username };
}

const NO_GROUP = 0;

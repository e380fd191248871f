// A device that a request opens by a link or by a session: for calls that both may make.
import type { FastifyRequest } from 'fastify';
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { LinkAccess } from '../../auth/linkAccess.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { DeviceStore } from '../../store/devices/devices.ts';
import type { ArchiveStore } from '../../store/recordings/archives.ts';
import type { EvidenceHoldStore } from '../../store/recordings/evidenceHolds.ts';
import { archiveViewerOf } from '../recordings/archiveViewer.ts';
import { visibleHolds } from '../recordings/visibleHolds.ts';
import type { Access } from './access.ts';
import { type Refusal, Refused } from './envelope.ts';
import { type Caller, recognise, refusalFor, textsOf } from './recognise.ts';

export interface DeviceOpened {
  readonly deviceId: string;
  /** What its recordings lie under. */
  readonly archiveId: string;
  /** Set where no more than this is opened. */
  readonly window?: TimeRange | undefined;
  readonly opensChannel: (channel: number) => boolean;
  /** Tells one caller from another. */
  readonly owner: string;
  /**
   * The account whose share of limits it uses: the user whose session it is, or who made the link. Members may make as many links as they
   * like, so a link has no share of its own.
   */
  readonly account: string;
  /** Name for the audit log. */
  readonly actor: string;
  /** Repeats the access check; used by streams that stay open. */
  readonly stillOpen: () => Promise<boolean>;
}

export interface DeviceOpenedDeps {
  readonly sessions: Sessions;
  readonly linkAccess: LinkAccess;
  readonly devices: Pick<DeviceStore, 'findByDeviceId'>;
  readonly evidenceHolds: Pick<EvidenceHoldStore, 'find'>;
  readonly archives: Pick<ArchiveStore, 'ownerships'>;
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
  if (isLink) return askLink(given, access, deps);
  const { deviceid = '', evidence } = given;
  return askSession(request, { deviceId: deviceid, evidence }, { access, deps });
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
  const { deviceId, archiveId } = device;
  const who = { owner: `link:${used.id}`, account: `user:${used.ownerId}`, actor: username };
  return { deviceId, archiveId, opensChannel, ...who };
}

interface Asking {
  readonly deviceId: string;
  /** Id of a hold: what it keeps is asked for, whichever device with that id recorded it. */
  readonly evidence: string | undefined;
}

async function askSession(
  request: FastifyRequest,
  { deviceId, evidence }: Asking,
  { access, deps }: { readonly access: LinkOrPermission; readonly deps: DeviceOpenedDeps },
): Promise<Asked> {
  const caller = await recognise(request, deps.sessions);
  const refusal = refusalFor(caller, [access.permission]);
  if (caller === undefined || refusal !== undefined) return refusal ?? Refused.notSignedIn;
  const { user } = caller;
  const owner = `user:${user.id}`;
  const asker = { owner, account: owner, actor: user.username };
  if (evidence !== undefined) {
    const held = await openEvidence(caller, { deviceId, evidence }, deps);
    return held === undefined ? Refused.device : { ...held, ...asker };
  }
  const device = await deps.devices.findByDeviceId(deviceId);
  if (device === undefined) return Refused.device;
  // Checked by its archive: another device could have the ID by now.
  const ownership = (await deps.archives.ownerships([device.archiveId], archiveViewerOf(caller))).get(device.archiveId);
  if (ownership !== 'device') return Refused.device;
  return { deviceId, archiveId: device.archiveId, opensChannel: () => true, ...asker };
}

/** The range of a hold that is in force, and nothing besides; undefined where the caller sees no such evidence. */
async function openEvidence(
  caller: Caller,
  { deviceId, evidence }: Asking,
  { evidenceHolds, archives }: DeviceOpenedDeps,
): Promise<Pick<DeviceOpened, 'deviceId' | 'archiveId' | 'window' | 'opensChannel'> | undefined> {
  const hold = /^[1-9]\d{0,14}$/.test(evidence ?? '') ? await evidenceHolds.find(Number(evidence)) : undefined;
  const named = hold?.deviceId === deviceId ? [hold] : [];
  const [visible] = await visibleHolds(archives, caller, named);
  if (visible === undefined) return undefined;
  const { archiveId, channel, fromMs, toMs } = visible.hold;
  const opensChannel = (each: number): boolean => channel === 0 || each === channel;
  return { deviceId, archiveId, window: { fromMs, toMs }, opensChannel };
}

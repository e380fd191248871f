// Whether a link's credential opens a device now. Asked when a page or stream begins, and again while a stream runs.

import { Permission } from '../../shared/protocol/permissions.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import { NO_GROUP } from '../noGroup.ts';
import type { MemberGroupStore } from '../store/accounts/memberGroups.ts';
import { type UserStore, userNameKey } from '../store/accounts/users.ts';
import type { Device, DeviceStore } from '../store/devices/devices.ts';
import type { LinkCredential, LinkCredentialStore, LinkKind, LinkWithOwner } from '../store/links/linkCredentials.ts';
import { isActive } from './activeUser.ts';
import { hashSecret } from './secrets.ts';

export interface LinkRequest {
  readonly username: string;
  readonly credential: string;
  readonly deviceId: string;
  /** From 1; left out when the question is about the device as a whole. */
  readonly channel?: number;
  /** `any`: the look-up that every kind of link begins with. */
  readonly kind: LinkKind | 'any';
}

export interface LinkOpened {
  readonly device: Device;
  readonly credential: LinkCredential;
  /** Whether the link opens a channel of it; channels count from 1. */
  readonly opensChannel: (channel: number) => boolean;
  /** Whether it opens the loudspeakers of its channels. Known where `control`, or `any` kind, was asked for. */
  readonly mayTalk: boolean;
}

export type LinkAnswer = ({ readonly ok: true } & LinkOpened) | { readonly ok: false };

export interface LinkAccess {
  check(request: LinkRequest): Promise<LinkAnswer>;
}

export interface LinkAccessDeps {
  readonly devices: DeviceStore;
  readonly linkCredentials: LinkCredentialStore;
  readonly memberGroups: MemberGroupStore;
  readonly users: Pick<UserStore, 'find'>;
  readonly now: () => WallMs;
}

/**
 * Asks the store the same questions in the same order whatever the answers are, so that an unknown device, one of a
 * foreign group and a wrong credential cannot be told apart by the time either.
 */
export function createLinkAccess(deps: LinkAccessDeps): LinkAccess {
  return {
    check: async (request) => {
      const link = await deps.linkCredentials.findBySecretHash(hashSecret(request.credential));
      const deviceId = request.deviceId.includes('\u0000') ? '' : request.deviceId;
      const [device, ownerSees, sessionSees] = await Promise.all([
        deps.devices.findByDeviceId(deviceId),
        deps.memberGroups.userSeesDevice(link?.credential.ownerId ?? NOBODY, deviceId),
        deps.memberGroups.userSeesDevice(
          link?.credential.ownerId ?? NOBODY,
          deviceId,
          link?.session?.memberGroup ?? NO_GROUP,
        ),
      ]);
      if (link === undefined || device === undefined || device.disabled || !ownerSees) return { ok: false };
      if (!credentialCovers(link, request)) return { ok: false };
      if (!credentialInForce(link, { now: deps.now(), sessionSees })) return { ok: false };
      const { credential } = link;
      if (request.kind === 'export' && !(await mayStillExport(credential, deps.users))) return { ok: false };
      const mayTalk = await ownerMayTalk(credential, request, deps.users);
      const opensChannel = (channel: number): boolean => maskHas(credential.channelMask, channel);
      return { ok: true, device, credential, opensChannel, mayTalk };
    },
  };
}

const NOBODY = 0;

/** Whether the credential was created by the named user for what is requested. */
function credentialCovers({ credential, ownerName }: LinkWithOwner, request: LinkRequest): boolean {
  return (
    userNameKey(ownerName) === userNameKey(request.username) &&
    credential.deviceId === request.deviceId &&
    (request.kind === 'any' || credential.kinds.has(request.kind)) &&
    (request.channel === undefined || maskHas(credential.channelMask, request.channel))
  );
}

function credentialInForce(
  { credential, ownerDisabled, ownerExpiresAtMs, session }: LinkWithOwner,
  { now, sessionSees }: { readonly now: WallMs; readonly sessionSees: boolean },
): boolean {
  if (!isActive({ disabled: ownerDisabled, expiresAtMs: ownerExpiresAtMs }, now)) return false;
  if (credential.revokedAtMs !== 0) return false;
  if (credential.expiresAtMs !== 0 && credential.expiresAtMs <= now) return false;
  if (credential.sessionIdHash === undefined) return true;
  // Our own pages see what their session's current member group sees, and nothing after the session has ended.
  return session !== undefined && session.endsAtMs > now && sessionSees;
}

/** A credential of a session allows only what its user is allowed now. A share link keeps what it was created with. */
async function mayStillExport(
  { ownerId, sessionIdHash }: LinkCredential,
  users: LinkAccessDeps['users'],
): Promise<boolean> {
  if (sessionIdHash === undefined) return true;
  return holds(ownerId, Permission.Export, users);
}

/**
 * Share links too: their maker chose that cameras and loudspeakers can be controlled, and who may speak to a driver is for
 * the administrators to say, at any time.
 */
async function ownerMayTalk(
  { ownerId, kinds }: LinkCredential,
  { kind }: LinkRequest,
  users: LinkAccessDeps['users'],
): Promise<boolean> {
  const isAsked = kind === 'control' || kind === 'any';
  return isAsked && kinds.has('control') && holds(ownerId, Permission.Talk, users);
}

async function holds(userId: number, permission: Permission, users: LinkAccessDeps['users']): Promise<boolean> {
  return (await users.find(userId))?.permissions.includes(permission) === true;
}

/** Whether a credential's mask has the channel. */
function maskHas(mask: number, channel: number): boolean {
  return Number.isInteger(channel) && channel >= 1 && channel <= 32 && Math.floor(mask / 2 ** (channel - 1)) % 2 === 1;
}

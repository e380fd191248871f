// Users and groups that a test has the proxy answer with, where the gateway's own would only be in the way.

import type { ServerInfo } from '../../../shared/protocol/api/system.ts';
import type { MemberGroup, UserStatus } from '../../../shared/protocol/api.ts';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import { wallSeconds } from '../../../shared/protocol/time.ts';
import type { Tap } from '../browser/tap.ts';

export const FULL_USER: UserStatus = {
  login: true,
  username: 'Chen Yu-Ting',
  permission: ALL_PERMISSIONS,
  membergroup: 2,
  retentiondays: 30,
  expirydate: wallSeconds(1_795_132_800), // 2026-11-20, 00:00 UTC
};

export const GROUPS: readonly MemberGroup[] = [
  { serialno: 1, name: 'Keelung Port' },
  { serialno: 2, name: 'Taoyuan Depot' },
];

export const SERVER: ServerInfo = {
  version: '0.1.0',
  max_license: 250,
  expired: wallSeconds(1_893_369_600), // 2029-12-31, 00:00 UTC
  web_title: 'Northern Fleet',
};

export const STATUS_PATH = '/api/user/status';
export const SERVER_PATH = '/api/system/server';
export const GROUPS_PATH = '/api/system/membergroup';

/** The proxy answers who is there; the result lets the gateway answer again. */
export function answerUser(tap: Tap, user: Partial<UserStatus> = {}): () => void {
  const data = { ...FULL_USER, ...user };
  return tap.when({ path: STATUS_PATH }, { kind: 'answer', body: { error: false, data } });
}

export function answerServer(tap: Tap, info: Partial<ServerInfo> = {}): () => void {
  return tap.when({ path: SERVER_PATH }, { kind: 'answer', body: { error: false, data: { ...SERVER, ...info } } });
}

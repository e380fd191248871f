// What the gateway's answers mean to the pages. Another server may stand behind the same contract, so every field is
// looked at before it is used: a missing or mistyped one gets a value that shows nothing and breaks nothing.

import type { OpenServerInfo, ServerInfo, VideoLayout } from '../protocol/api/system.ts';
import type { DeviceInfo, MemberGroup, UserStatus } from '../protocol/api.ts';
import { wallSeconds } from '../protocol/time.ts';

type Fields = Readonly<Record<string, unknown>>;

export const SIGNED_OUT: UserStatus = {
  login: false,
  username: '',
  permission: [],
  membergroup: 0,
  retentiondays: 0,
  expirydate: wallSeconds(0),
};

export function readUserStatus(data: unknown): UserStatus {
  const fields = asFields(data);
  if (fields.login !== true) return SIGNED_OUT;
  const permission = fields.permission;
  return {
    login: true,
    username: text(fields.username),
    permission: Array.isArray(permission) ? permission.filter((entry) => typeof entry === 'string') : [],
    membergroup: count(fields.membergroup),
    retentiondays: count(fields.retentiondays),
    expirydate: wallSeconds(count(fields.expirydate)),
    ...(typeof fields.timezone === 'string' ? { timezone: fields.timezone } : {}),
  };
}

export function readMemberGroups(data: unknown): readonly MemberGroup[] {
  if (!Array.isArray(data)) return [];
  return data.map(asFields).flatMap((fields) => {
    const { serialno, name } = fields;
    return typeof serialno === 'number' && typeof name === 'string' ? [{ serialno, name }] : [];
  });
}

export function readServerInfo(data: unknown): ServerInfo {
  const fields = asFields(data);
  return {
    version: text(fields.version),
    max_license: count(fields.max_license),
    expired: wallSeconds(count(fields.expired)),
    ...readOpenServerInfo(data),
    linkKey: text(fields.linkKey) || null,
  };
}

export function readOpenServerInfo(data: unknown): OpenServerInfo {
  const fields = asFields(data);
  return {
    web_title: text(fields.web_title),
    simpleLive: { layout: layout(fields.simpleLive) },
    simplePlayback: { layout: layout(fields.simplePlayback) },
  };
}

export function readDevice(data: unknown): DeviceInfo {
  const fields = asFields(data);
  return {
    chn: Math.floor(count(fields.chn)),
    installchs: text(fields.installchs),
    livechs: text(fields.livechs),
    ptzchs: text(fields.ptzchs),
    talkchs: text(fields.talkchs),
    exportchs: text(fields.exportchs),
    name: text(fields.name),
    plate: text(fields.plate),
    ...(typeof fields.online === 'boolean' ? { online: fields.online } : {}),
    seenAtMs: count(fields.seenAtMs),
  };
}

function layout(part: unknown): VideoLayout {
  return asFields(part).layout === '3x3' ? '3x3' : '';
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

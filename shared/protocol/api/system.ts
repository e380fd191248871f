// What an installation says of itself. The shell and the video pages take the types alone and read the answer with a small reader
// of their own.
import * as Type from 'typebox/type';
import type { WallSeconds } from '../time.ts';
import { Nullable, OneOf, type RecordOf, Text } from './records.ts';

export const SERVER_INFO_PATH = '/api/system/server';

export const VIDEO_LAYOUTS = ['', '3x3'] as const;
export type VideoLayout = (typeof VIDEO_LAYOUTS)[number];

const PageSettings = Type.Object({ layout: Type.Optional(Nullable(OneOf(VIDEO_LAYOUTS))) });

/** Null and nothing mean the same: a server may leave out what it has no setting for. */
export const ServerInfo = Type.Object({
  version: Type.Optional(Text),
  max_license: Type.Optional(Type.Integer()),
  expired: Type.Optional(Type.Unsafe<WallSeconds>(Type.Integer())),
  web_title: Type.Optional(Nullable(Text)),
  simpleLive: Type.Optional(Nullable(PageSettings)),
  simplePlayback: Type.Optional(Nullable(PageSettings)),
  /** Hex of the AES-256 key of `/live/{hex}` links. Our extension: without it a built-in key serves. */
  linkKey: Type.Optional(Nullable(Text)),
});
export type ServerInfo = RecordOf<typeof ServerInfo>;

/** What changes on open pages without a reload. */
export type OpenServerInfo = Pick<ServerInfo, 'web_title' | 'simpleLive' | 'simplePlayback'>;

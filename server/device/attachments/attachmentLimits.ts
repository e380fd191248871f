import type { Limit } from '../../limits/limit.ts';
import type { ConnectionLimits } from '../connectionCaps.ts';

/** Files come seldom: a whole fleet behind one address has some connections at a time. */
export const ATTACHMENT_CONNECTIONS: ConnectionLimits = {
  open: { name: 'attachments.connections.all', max: 2_000 },
  openByAddress: { name: 'attachments.connections.address', max: 1_000 },
  silent: { name: 'attachments.silent.all', max: 512 },
  silentByAddress: { name: 'attachments.silent.address', max: 256 },
};
/** Time within which a connection must name an alarm number that was given out, or it is closed. */
export const FIRST_LIST_LIMIT: Limit = { name: 'attachments.first-list-ms.connection', max: 10_000 };
/** Bytes before that: the longest list of files there can be. */
export const FIRST_BYTES_LIMIT: Limit = { name: 'attachments.first-bytes.connection', max: 128 * 1024 };
/** Time in which at least a kilobyte must come. */
export const PROGRESS_LIMIT: Limit = { name: 'attachments.silence-ms.connection', max: 30_000 };
export const PROGRESS_BYTES = 1_024;
export const DURATION_LIMIT: Limit = { name: 'attachments.duration-ms.connection', max: 60 * 60_000 };
export const FILE_BYTES_LIMIT: Limit = { name: 'attachments.file-bytes.file', max: 64 * 1024 * 1024 };
export const FILES_LIMIT: Limit = { name: 'attachments.files.list', max: 64 };
/** Bytes of all files of a list. */
export const LIST_BYTES_LIMIT: Limit = { name: 'attachments.bytes.list', max: 256 * 1024 * 1024 };
/** Pieces of a file that do not touch. */
export const RANGES_LIMIT: Limit = { name: 'attachments.ranges.file', max: 4_096 };
/** Connections that bring files. */
export const UPLOADS_LIMIT: Limit = { name: 'attachments.uploads.all', max: 256 };
export const DEVICE_UPLOADS_LIMIT: Limit = { name: 'attachments.uploads.device', max: 4 };
/** Bytes beyond twice what the files have: a terminal that sends more repeats the same data again and again. */
export const SURPLUS_BYTES_LIMIT: Limit = { name: 'attachments.surplus-bytes.connection', max: 1024 * 1024 };

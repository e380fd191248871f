import type { Limit } from '../../limits/limit.ts';
import type { ConnectionLimits } from '../connectionCaps.ts';

/** Files come seldom: a whole fleet behind one address has some connections at a time. */
export const ATTACHMENT_CONNECTIONS: ConnectionLimits = {
  /**
   * Connections to the port for files of alarms. The oldest one that has not named an alarm number makes room; without such a one, the new
   * one is closed.
   */
  open: { name: 'attachments.connections.all', max: 2_000 },
  /**
   * Connections to the port for files of alarms from one address. The oldest one of the address that has not named an alarm number makes
   * room; without such a one, the new one is closed.
   */
  openByAddress: { name: 'attachments.connections.address', max: 1_000 },
  /** Connections to the port for files of alarms that have sent nothing yet. The oldest is closed. */
  silent: { name: 'attachments.silent.all', max: 512 },
  /** Connections to the port for files of alarms from one address that have sent nothing yet. The oldest is closed. */
  silentByAddress: { name: 'attachments.silent.address', max: 256 },
};
/** Time until a connection names an alarm number that was given out. It is closed. */
export const FIRST_LIST_LIMIT: Limit = { name: 'attachments.first-list-ms.connection', max: 10_000 };
/** Bytes before a connection names an alarm number that was given out: the longest list of files there can be. It is closed. */
export const FIRST_BYTES_LIMIT: Limit = { name: 'attachments.first-bytes.connection', max: 128 * 1024 };
/** Time in which less than a kilobyte comes. The connection is closed; files that are not whole wait for the rest, which is requested. */
export const PROGRESS_LIMIT: Limit = { name: 'attachments.silence-ms.connection', max: 30_000 };
export const PROGRESS_BYTES = 1_024;
/** Duration of a connection. It is closed; files that are not whole wait for the rest, which is requested. */
export const DURATION_LIMIT: Limit = { name: 'attachments.duration-ms.connection', max: 60 * 60_000 };
/** Size of a file. The list is refused. */
export const FILE_BYTES_LIMIT: Limit = { name: 'attachments.file-bytes.file', max: 64 * 1024 * 1024 };
/** Files of an alarm. The list is refused. */
export const FILES_LIMIT: Limit = { name: 'attachments.files.list', max: 64 };
/** Size of all files of an alarm. The list is refused. */
export const LIST_BYTES_LIMIT: Limit = { name: 'attachments.bytes.list', max: 256 * 1024 * 1024 };
/** Pieces of a file that do not touch. Further ones are left out, and requested again. */
export const RANGES_LIMIT: Limit = { name: 'attachments.ranges.file', max: 4_096 };
/**
 * Connections that bring files. Shared by member groups. The list is refused; the terminal is asked again a minute later, which counts as
 * no attempt.
 */
export const UPLOADS_LIMIT: Limit = { name: 'attachments.uploads.all', max: 256 };
/**
 * Connections of one device that bring files. The one that has been silent for longest makes room, if nothing came from it for 5 s;
 * otherwise the list is refused.
 */
export const DEVICE_UPLOADS_LIMIT: Limit = { name: 'attachments.uploads.device', max: 4 };
/**
 * Bytes beyond twice those of the files in the list: a terminal that sends more repeats the same data again and again. The connection is
 * closed; files that are not whole wait for the rest, which is requested.
 */
export const SURPLUS_BYTES_LIMIT: Limit = { name: 'attachments.surplus-bytes.connection', max: 1024 * 1024 };

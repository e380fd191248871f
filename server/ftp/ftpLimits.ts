// Bounds of the file transfer server. A terminal holds far less than any of them.
import type { ConnectionLimits } from '../device/connectionCaps.ts';
import type { Limit } from '../limits/limit.ts';

/** Control connections. One of them serves one login. Those that have signed in are shared by member groups. */
export const FTP_CONNECTIONS: ConnectionLimits = {
  open: { name: 'ftp.connections.all', max: 100 },
  openByAddress: { name: 'ftp.connections.address', max: 80 },
  silent: { name: 'ftp.silent.all', max: 50 },
  silentByAddress: { name: 'ftp.silent.address', max: 25 },
  unprovenByAddress: { name: 'ftp.unproven.address', max: 40 },
};
/** Requests to terminals that are open. Shared by member groups. */
export const LOGINS_LIMIT: Limit = { name: 'ftp.logins.all', max: 256 };
/** One that lost its connection comes back before the old one is noticed to be dead. */
export const LOGIN_CONNECTIONS_LIMIT: Limit = { name: 'ftp.connections.login', max: 4 };
export const SIGN_IN_LIMIT: Limit = { name: 'ftp.sign-in-ms.connection', max: 15_000 };
export const PASSWORDS_LIMIT: Limit = { name: 'ftp.wrong-passwords.connection', max: 3 };
/** Each further one waits, a second at first and then twice as long. */
export const ADDRESS_PASSWORDS_LIMIT: Limit = { name: 'ftp.wrong-passwords.address', max: 5 };
export const LINE_LIMIT: Limit = { name: 'ftp.line-bytes.command', max: 1_024 };
/** Sent before the one before them was answered. */
export const WAITING_COMMANDS_LIMIT: Limit = { name: 'ftp.waiting-commands.connection', max: 32 };
/** At once; then so many a second as the session says. */
export const COMMANDS_LIMIT: Limit = { name: 'ftp.commands.connection', max: 200 };
export const UNSENT_REPLIES_LIMIT: Limit = { name: 'ftp.unsent-bytes.connection', max: 64 * 1_024 };
export const IDLE_LIMIT: Limit = { name: 'ftp.idle-ms.connection', max: 5 * 60_000 };
export const DATA_CONNECT_LIMIT: Limit = { name: 'ftp.connect-ms.transfer', max: 10_000 };
export const DATA_IDLE_LIMIT: Limit = { name: 'ftp.silence-ms.transfer', max: 60_000 };
/**
 * Ports that wait for a data connection: at most those of FTP_PASSIVE_PORTS, and never more than there are control connections. Shared by
 * member groups.
 */
export const PASSIVE_LIMIT: Limit = { name: 'ftp.waiting-ports.all', max: 100 };
/** Whatever a login says. */
export const LOGIN_BYTES_LIMIT: Limit = { name: 'ftp.bytes.login', max: 16 * 1024 * 1024 * 1024 };
export const LOGIN_FILES_LIMIT: Limit = { name: 'ftp.files.login', max: 1_000 };

// Bounds of the file transfer server. A terminal holds far less than any of them.
import type { ConnectionLimits } from '../device/connectionCaps.ts';
import type { Limit } from '../limits/limit.ts';

/** Control connections. One of them serves one login. Those that have signed in are shared by member groups. */
export const FTP_CONNECTIONS: ConnectionLimits = {
  /**
   * Control connections to `FTP_PORT`. The oldest one that has not signed in makes room; without such a one, the new one is closed.
   * Connections that have signed in are shared by member groups: beyond its share, a sign-in is answered with 421.
   */
  open: { name: 'ftp.connections.all', max: 100 },
  /**
   * Control connections from one address. The oldest one of the address that has not signed in makes room; without such a one, the new one
   * is closed.
   */
  openByAddress: { name: 'ftp.connections.address', max: 80 },
  /** Control connections that have sent nothing yet. The oldest is closed. */
  silent: { name: 'ftp.silent.all', max: 50 },
  /** Control connections from one address that have sent nothing yet. The oldest is closed. */
  silentByAddress: { name: 'ftp.silent.address', max: 25 },
  /**
   * Control connections from one address that have not signed in. The oldest of the address is closed; where all connections are taken, one
   * of the address that has the most of these makes room.
   */
  unprovenByAddress: { name: 'ftp.unproven.address', max: 40 },
};
/**
 * Logins, of which each request to a terminal has its own. Shared by member groups. At the limit no further terminal is asked for files.
 */
export const LOGINS_LIMIT: Limit = { name: 'ftp.logins.all', max: 256 };
/**
 * Control connections of a login: a terminal that lost its connection comes back before the old one is noticed to be dead. A further one is
 * closed.
 */
export const LOGIN_CONNECTIONS_LIMIT: Limit = { name: 'ftp.connections.login', max: 4 };
/** Time until a connection has signed in. It is closed afterwards. */
export const SIGN_IN_LIMIT: Limit = { name: 'ftp.sign-in-ms.connection', max: 15_000 };
/** Wrong passwords on a connection. It is closed at the next one. */
export const PASSWORDS_LIMIT: Limit = { name: 'ftp.wrong-passwords.connection', max: 3 };
/**
 * Wrong passwords from an address; one is forgotten every ten minutes. The answer to each further one waits a second, then twice as long,
 * at most ten seconds.
 */
export const ADDRESS_PASSWORDS_LIMIT: Limit = { name: 'ftp.wrong-passwords.address', max: 5 };
/** Length of a command. A longer one is refused. */
export const LINE_LIMIT: Limit = { name: 'ftp.line-bytes.command', max: 1_024 };
/** Commands sent before earlier ones were answered. The connection is closed. */
export const WAITING_COMMANDS_LIMIT: Limit = { name: 'ftp.waiting-commands.connection', max: 32 };
/** Commands at once, and then 20 a second. Further ones wait. */
export const COMMANDS_LIMIT: Limit = { name: 'ftp.commands.connection', max: 200 };
/** Answers that the terminal doesn't take. The connection is closed. */
export const UNSENT_REPLIES_LIMIT: Limit = { name: 'ftp.unsent-bytes.connection', max: 64 * 1_024 };
/** Time without a command or a transfer. The connection is closed. */
export const IDLE_LIMIT: Limit = { name: 'ftp.idle-ms.connection', max: 5 * 60_000 };
/** Time until a data connection comes or is made. There is no transfer otherwise. */
export const DATA_CONNECT_LIMIT: Limit = { name: 'ftp.connect-ms.transfer', max: 10_000 };
/** Time without data. The transfer ends, unless its upload is paused; the file is not whole, and can be continued. */
export const DATA_IDLE_LIMIT: Limit = { name: 'ftp.silence-ms.transfer', max: 60_000 };
/**
 * Ports that wait for a data connection: at most those of `FTP_PASSIVE_PORTS`, and never more than there are control connections. Shared by
 * member groups. At the limit `PASV` and `EPSV` are answered with 425, and the terminal has to ask again.
 */
export const PASSIVE_LIMIT: Limit = { name: 'ftp.waiting-ports.all', max: 100 };
/**
 * Size of all files of a login; the login's own limit, which is lower, is counted under this name too. The transfer ends, and the file is
 * not whole.
 */
export const LOGIN_BYTES_LIMIT: Limit = { name: 'ftp.bytes.login', max: 16 * 1024 * 1024 * 1024 };
/** Files of a login; the login's own limit is counted under this name too. Further ones are refused. */
export const LOGIN_FILES_LIMIT: Limit = { name: 'ftp.files.login', max: 1_000 };

// The logins of the file transfer server: each is made for one request to one terminal, and ends with it.

/** The address and login that a terminal is sent. */
export interface FtpAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Absolute path without a slash at its end. For a download: the file itself. */
  readonly path: string;
}

/** The owner of a login, and its duration. */
interface FtpLoginOwner {
  readonly deviceId: string;
  readonly incarnation: number;
  /** Address of the terminal's signaling; undefined for a device that may use any. */
  readonly remoteAddress: string | undefined;
  /** The address that the terminal has dialed for its signaling: it is sent unless PUBLIC_HOST is set. */
  readonly localAddress: string;
  readonly untilMs: number;
}

/** The login of a terminal that uploads files: it may write, and neither list nor read. */
export interface FtpUploadLogin extends FtpLoginOwner {
  readonly kind: 'upload';
  /** An existing folder of its own, absolute. Files get random names in it. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Called for each chunk that has come, written or not: it used the device's network. */
  readonly onReceived?: ((bytes: number) => void) | undefined;
  /** Called before the first bytes of a transfer are written, and after every few MB: false breaks the transfer off, for lack of space. */
  readonly hasRoom?: () => Promise<boolean>;
  /** Whether the terminal was told to pause: a silent transfer is not broken off then. */
  readonly isPaused?: () => boolean;
  /** Called for each chunk that has been written. */
  readonly onBytes: (bytes: number) => void;
  /**
   * Called when a transfer has ended; `isWhole` is false where its connection broke off. Called again for a file that is continued or
   * overwritten: before it changes, and after. The terminal is answered when this has resolved; if it rejects, the answer is that the file
   * isn't stored.
   */
  readonly onFile: (file: FtpFile) => void | Promise<void>;
}

export interface FtpFile {
  /** Absolute path, in the login's folder. */
  readonly path: string;
  /** The file's name as the terminal gave it: text from outside. */
  readonly name: string;
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** The login of a terminal that downloads one file: it may read that and nothing else. */
export interface FtpDownloadLogin extends FtpLoginOwner {
  readonly kind: 'download';
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
  /** Called for each chunk that has been sent, with its place in the file. */
  readonly onBytes: (offset: number, bytes: number) => void;
  /** Awaited before the end of the file is sent; false breaks the transfer off. */
  readonly beforeEnd: () => Promise<boolean>;
}

export type FtpLogin = FtpUploadLogin | FtpDownloadLogin;

export interface FtpLogins {
  /**
   * Undefined while as many logins are open as are allowed, for all devices or for those of the member group. `close` ends the login's
   * connections too.
   */
  open(login: FtpLogin): { readonly address: FtpAddress; readonly close: () => void } | undefined;
}

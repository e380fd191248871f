// The logins of the file transfer server: each is made for one request to one terminal, and ends with it.

/** What a terminal is told. */
export interface FtpAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Absolute, without a slash at its end. Of a download: the file itself. */
  readonly path: string;
}

/** Whose login it is, and for how long. */
interface FtpLoginOwner {
  readonly deviceId: string;
  readonly incarnation: number;
  /** Of the terminal's signalling; undefined for a device that may come from any. */
  readonly remoteAddress: string | undefined;
  /** The address that the terminal has dialled for its signalling: what it is told unless PUBLIC_HOST is set. */
  readonly localAddress: string;
  readonly untilMs: number;
}

/** A terminal hands in files: it may write, and neither list nor read. */
export interface FtpUploadLogin extends FtpLoginOwner {
  readonly kind: 'upload';
  /** An existing folder of its own, absolute. Files get random names in it. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly maxFiles: number;
  /** Told of each chunk that has come, written or not: the device's network carried it. */
  readonly onReceived?: ((bytes: number) => void) | undefined;
  /** Asked before the first bytes of a transfer are written, and after every few MB: false breaks it off, for a lack of space. */
  readonly hasRoom?: () => Promise<boolean>;
  /** The terminal was told to pause: a transfer that is silent meanwhile is not broken off. */
  readonly isPaused?: () => boolean;
  /** Told of each chunk that has been written. */
  readonly onBytes: (bytes: number) => void;
  /**
   * A transfer has ended; `isWhole` is false where its connection broke off. Told again of a file that is continued or written over:
   * before it changes, and when it has. The terminal is answered when it has resolved, and that the file isn't stored when it
   * rejects.
   */
  readonly onFile: (file: FtpFile) => void | Promise<void>;
}

export interface FtpFile {
  /** Absolute, in the login's folder. */
  readonly path: string;
  /** As the terminal called it: text from outside. */
  readonly name: string;
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** A terminal fetches one file: it may read that and nothing else. */
export interface FtpDownloadLogin extends FtpLoginOwner {
  readonly kind: 'download';
  /** Absolute. */
  readonly file: string;
  readonly bytes: number;
  /** Told of each chunk that has been sent, with its place in the file. */
  readonly onBytes: (offset: number, bytes: number) => void;
  /** Awaited before the end of the file goes out; false breaks the transfer off. */
  readonly beforeEnd: () => Promise<boolean>;
}

export type FtpLogin = FtpUploadLogin | FtpDownloadLogin;

export interface FtpLogins {
  /** Undefined while as many logins are open as may be, of all devices or of those of the member group. `close` ends its connections too. */
  open(login: FtpLogin): { readonly address: FtpAddress; readonly close: () => void } | undefined;
}

// Where a terminal downloads an image: an address of one image for one device, until its time is over.
import type { TerminalSession } from '../../device/terminalSession.ts';
import type { DeliveredImage } from '../delivery/delivery.ts';

export interface ImageLinkRequest {
  readonly session: Pick<
    TerminalSession,
    'deviceId' | 'incarnation' | 'remoteAddress' | 'localAddress' | 'relaxedMediaAddress'
  >;
  readonly image: DeliveredImage;
  readonly untilMs: number;
  /** Told of what has been sent: `bytes` from `offset` on. */
  readonly onBytes: (offset: number, bytes: number) => void;
  /** Awaited before the end of the image goes out; false ends the download. */
  readonly beforeEnd: () => Promise<boolean>;
}

export interface ImageLink {
  readonly url: string;
  /** Ends what is being sent too. */
  close(): void;
}

/** By http; the file transfer has logins (server/ftp/ftpLogin.ts). Undefined while as many are open as may be. */
export interface ImageLinks {
  open(request: ImageLinkRequest): ImageLink | undefined;
}

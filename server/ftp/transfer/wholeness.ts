// Whether a file may be taken for whole. Half a file never is; a whole one that is not believed is sent again. Pure.

export interface Received {
  /** The data connection was closed in order (FIN), and not reset. */
  readonly isEnded: boolean;
  /** Of the whole file. */
  readonly fileBytes: number;
  /** By this transfer: ALLO before APPE says either. */
  readonly receivedBytes: number;
  readonly announcedBytes: number | undefined;
  /** A program that is killed closes all its connections in order. One that goes on waits for the answer. */
  readonly isControlOpen: boolean;
}

export function isWhole({ isEnded, fileBytes, receivedBytes, announcedBytes, isControlOpen }: Received): boolean {
  if (!isEnded || !isControlOpen) return false;
  return announcedBytes === undefined || fileBytes >= announcedBytes || receivedBytes >= announcedBytes;
}

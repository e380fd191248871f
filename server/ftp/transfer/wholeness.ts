// Decides whether a file counts as whole. A partial file never does; a whole one that isn't accepted is sent again. Pure.

export interface Received {
  /** The data connection was closed regularly (FIN), and not reset. */
  readonly isEnded: boolean;
  /** Bytes of the whole file. */
  readonly fileBytes: number;
  /** Bytes of this transfer: ALLO before APPE may announce either number. */
  readonly receivedBytes: number;
  readonly announcedBytes: number | undefined;
  /** Open while the terminal waits for the answer. A program that is killed closes all its connections regularly. */
  readonly isControlOpen: boolean;
}

export function isWhole({ isEnded, fileBytes, receivedBytes, announcedBytes, isControlOpen }: Received): boolean {
  if (!isEnded || !isControlOpen) return false;
  return announcedBytes === undefined || fileBytes >= announcedBytes || receivedBytes >= announcedBytes;
}

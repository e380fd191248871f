// One request for a part of an image.

export interface ImageSource {
  readonly url: URL;
  /** Both '' where the order names none. */
  readonly user: string;
  readonly password: string;
}

/** `whole`: nothing comes behind what has come. */
export type PartEnd = 'more' | 'whole' | 'failed';

export interface PartRequest {
  readonly source: ImageSource;
  readonly from: number;
  /** 0: all of the rest. */
  readonly bytes: number;
  /** What comes is from the beginning. */
  readonly onRestart: () => void;
  readonly onChunk: (chunk: Uint8Array) => void;
  readonly onEnd: (end: PartEnd) => void;
}

/** Gives what ends it early. */
export type PartFetch = (request: PartRequest) => () => void;

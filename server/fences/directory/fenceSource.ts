import type { FenceContent } from '../../../shared/protocol/api/fences/fences.ts';

export interface StoredFence {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: FenceContent;
}

export interface FenceVersion {
  readonly id: number;
  readonly version: number;
}

/** The fences of all member groups, on or off. */
export interface FenceSource {
  /** Versions by id, without outlines. */
  versions(): Promise<readonly FenceVersion[]>;
  /** The fences with these ids that still exist. */
  some(ids: readonly number[]): Promise<readonly StoredFence[]>;
}

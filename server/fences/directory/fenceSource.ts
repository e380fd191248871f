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

/** Those of all member groups, on or off. */
export interface FenceSource {
  /** By id, without their outlines. */
  versions(): Promise<readonly FenceVersion[]>;
  /** Those of these that are still there. */
  some(ids: readonly number[]): Promise<readonly StoredFence[]>;
}

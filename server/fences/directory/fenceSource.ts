import type { FenceContent } from '../../../shared/protocol/api/fences/fences.ts';

export interface StoredFence {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
  readonly content: FenceContent;
}

/** Those of all member groups, on or off. */
export interface FenceSource {
  all(): Promise<readonly StoredFence[]>;
}

import type { Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import type { FenceDraft } from './fenceForm.ts';

/** One that is stored, or what a new one begins with. */
export type OpenedFence =
  | { readonly fence: Fence; readonly tab: 'settings' | 'terminals' }
  | { readonly draft: FenceDraft };

// Stand-ins of the parts that firmware tasks need and that aren't there: nothing is found, and nothing is sent.
import { NO_PLANS } from '../../device/usage/planGate.ts';
import type { FirmwareTasksDeps } from './tasks.ts';

export const MISSING_PARTS: Pick<FirmwareTasksDeps, 'images' | 'modelOf' | 'delivery' | 'plans' | 'isWatched'> = {
  images: { find: async () => undefined, verifiedFile: async () => undefined },
  modelOf: async () => undefined,
  delivery: { deliver: async () => ({ ok: false, fault: 'not-supported', isPassing: false, detail: '' }) },
  plans: NO_PLANS,
  isWatched: () => false,
};

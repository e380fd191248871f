// Why a device's data plan leaves it less than was asked for, as people are told.
import type { PlanRefusal } from '../../device/usage/planGate.ts';

export const PLAN_REFUSALS: Readonly<Record<PlanRefusal, { readonly code: PlanRefusal; readonly message: string }>> = {
  'plan-sub-stream': {
    code: 'plan-sub-stream',
    message: 'The data plan of this device is used up. Only the sub stream is available.',
  },
  'plan-events-only': {
    code: 'plan-events-only',
    message: 'The data plan of this device is used up. Only video of events is recorded.',
  },
  'plan-no-video': {
    code: 'plan-no-video',
    message: 'The data plan of this device is used up. Video is off until the plan starts over.',
  },
  'plan-no-transfers': {
    code: 'plan-no-transfers',
    message: 'The data plan of this device is used up. Data sync and firmware wait until the plan starts over.',
  },
};

// The streams and transfers that a used-up data plan still allows. Pure.
import type { PlanAction } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { PlanAnswer, PlanGate } from '../../device/usage/planGate.ts';

const OK: PlanAnswer = { ok: true };

/** `action`: the action of the used-up plan; 'none' where no plan is used up. */
export function streamAnswer(
  action: PlanAction,
  quality: Parameters<PlanGate['mayStream']>[1],
  purpose: Parameters<PlanGate['mayStream']>[2],
): PlanAnswer {
  switch (action) {
    case 'none':
    case 'no-transfers':
      return OK;
    case 'sub-stream':
      // The device chooses what it sends of a recording that has only one stream.
      return quality === 'main' && purpose !== 'event' ? { ok: false, reason: 'plan-sub-stream' } : OK;
    case 'events-only':
      return purpose === 'event' ? OK : { ok: false, reason: 'plan-events-only' };
    case 'no-video':
      return { ok: false, reason: 'plan-no-video' };
  }
}

export interface TransferRoom {
  readonly action: PlanAction;
  /** Bytes left of the plan; undefined without a plan. */
  readonly leftBytes: number | undefined;
}

/** A transfer that would not fit is not begun, whatever the plan's action; without a plan, any transfer fits. */
export function transferAnswer({ action, leftBytes }: TransferRoom, bytes: number): PlanAnswer {
  if (action !== 'none' && action !== 'sub-stream') return { ok: false, reason: 'plan-no-transfers' };
  const isTooMuch = bytes > 0 && leftBytes !== undefined && bytes > leftBytes;
  return isTooMuch ? { ok: false, reason: 'plan-no-transfers' } : OK;
}

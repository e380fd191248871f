// What a data plan that is used up still lets through. Pure.
import type { PlanAction } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { PlanAnswer, PlanGate } from '../../device/usage/planGate.ts';

const OK: PlanAnswer = { ok: true };

/** `action`: of the plan that is used up; 'none' where nothing is. */
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
      // The device chooses what it sends of a recording that has one stream alone.
      return quality === 'main' && purpose !== 'event' ? { ok: false, reason: 'plan-sub-stream' } : OK;
    case 'events-only':
      return purpose === 'event' ? OK : { ok: false, reason: 'plan-events-only' };
    case 'no-video':
      return { ok: false, reason: 'plan-no-video' };
  }
}

export interface TransferRoom {
  readonly action: PlanAction;
  /** Of the plan; undefined without one. */
  readonly leftBytes: number | undefined;
}

/** A transfer that would not fit is not begun, whatever the plan does then; one without a plan has all the room. */
export function transferAnswer({ action, leftBytes }: TransferRoom, bytes: number): PlanAnswer {
  if (action !== 'none' && action !== 'sub-stream') return { ok: false, reason: 'plan-no-transfers' };
  const isTooMuch = bytes > 0 && leftBytes !== undefined && bytes > leftBytes;
  return isTooMuch ? { ok: false, reason: 'plan-no-transfers' } : OK;
}

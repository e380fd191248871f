// The state of a terminal's area when an order about it ends. Pure.
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import type { TerminalAreaNote, TerminalAreaState } from '../../../shared/protocol/fences/fenceWords.ts';
import { GeneralResult } from '../jt808/codec/codes.ts';

export interface EndedOrder {
  readonly state: OrderState;
  /** The terminal's result code if it refused the order. */
  readonly result: number | undefined;
}

export interface AreaSituation {
  readonly isWanted: boolean;
  /** The note that the order was given with. */
  readonly note: TerminalAreaNote;
  /** The terminal has taken other areas of this kind. */
  readonly hasOthers: boolean;
}

export type AreaOutcome =
  | { readonly kind: 'state'; readonly state: TerminalAreaState; readonly note: TerminalAreaNote }
  /** The terminal no longer has the area. */
  | { readonly kind: 'gone' };

/** Undefined while the order goes on. Without an answer the terminal may still have obeyed: asking it shows what it has. */
export function outcomeOf(order: EndedOrder, area: AreaSituation): AreaOutcome | undefined {
  const stay = area.isWanted ? 'sent' : 'removing';
  switch (order.state) {
    case 'waiting':
    case 'sent':
      return undefined;
    case 'done':
      return area.isWanted ? { kind: 'state', state: 'sent', note: area.note } : { kind: 'gone' };
    case 'no-answer':
    case 'unknown':
      return { kind: 'state', state: stay, note: 'no-answer' };
    case 'refused':
      return { kind: 'state', state: refusalOf(order, area), note: area.isWanted ? area.note : '' };
    case 'expired':
      return { kind: 'state', state: area.isWanted ? 'refused' : 'removing', note: 'expired' };
  }
}

/**
 * The protocol has no code for a full memory. A terminal that has taken such areas before and fails at another one, though it can
 * read it, has no room.
 */
function refusalOf({ result }: EndedOrder, { isWanted, hasOthers }: AreaSituation): TerminalAreaState {
  return isWanted && hasOthers && result === GeneralResult.Failed ? 'full' : 'refused';
}

// How a line to a camera or a loudspeaker stands. Pure.
import type { StreamReport } from '../engine/engine.ts';

export type LineState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'ready' }
  /** The server has said why; a page may know a translation for the code. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'lost' };

export function nextLineState(state: LineState, report: StreamReport): LineState {
  switch (report.type) {
    case 'control':
      return report.event.type === 'held' || report.event.type === 'opened' ? { kind: 'ready' } : state;
    case 'event':
      if (report.event.type !== 'error') return state;
      return { kind: 'refused', code: report.event.code, message: report.event.message };
    case 'closed':
    case 'broken':
      // The reason, where there was one, came before.
      return state.kind === 'refused' ? state : { kind: 'lost' };
    default:
      return state;
  }
}

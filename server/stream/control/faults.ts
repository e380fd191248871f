import type { TalkFault } from '../../device/controls.ts';
import type { Refusal } from '../../sockets/refusal.ts';

const MESSAGES: Readonly<Record<TalkFault, string>> = {
  offline: 'The vehicle is not connected.',
  refused: 'The vehicle refused.',
  'no-answer': 'The vehicle does not answer.',
  codec: 'The vehicle speaks a codec that cannot be made here.',
  closed: 'The vehicle ended the call.',
};

/** The fault with words for a page that does not know its code. */
export function faultOf(code: TalkFault): Refusal {
  return { code, message: MESSAGES[code] };
}

import type { TalkFault } from '../../device/controls.ts';
import type { Refusal } from '../../sockets/refusal.ts';

const MESSAGES: Readonly<Record<TalkFault, string>> = {
  offline: 'The vehicle is offline.',
  refused: 'The vehicle rejected the request.',
  'no-answer': "The vehicle doesn't answer.",
  codec: "The vehicle uses an audio format that the server doesn't support.",
  closed: 'The vehicle ended the call.',
};

/** The fault with words for a page that does not know its code. */
export function faultOf(code: TalkFault): Refusal {
  return { code, message: MESSAGES[code] };
}

// Whether a terminal may have all of an image although nothing was heard of that. Pure.
import type { FirmwareFault } from '../../../shared/protocol/firmware/firmwareWords.ts';

/** Of these the end may have arrived. Whatever else goes wrong is the terminal's answer, or a fault of before. */
const UNHEARD = ['aborted', 'disconnected', 'no-answer'] as const;
type Unheard = (typeof UNHEARD)[number];

/**
 * Why it isn't known: then the terminal is followed as one that has the image, since sending it again could flash it twice. ''
 * where the end was not on its way, or where the terminal has said no.
 */
export function unheardArrival(
  { sentBytes }: { readonly sentBytes: number },
  imageBytes: number,
  fault: FirmwareFault | 'aborted',
): FirmwareFault {
  if (sentBytes < imageBytes || !isUnheard(fault)) return '';
  // A pause, a stop, the end of the window, the gateway's own end: what was on its way is lost or there, as with a connection.
  return fault === 'aborted' ? 'disconnected' : fault;
}

function isUnheard(fault: FirmwareFault | 'aborted'): fault is Unheard {
  return UNHEARD.some((each) => each === fault);
}

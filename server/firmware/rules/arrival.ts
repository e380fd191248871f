// Decides whether a terminal may have all of an image although this was not confirmed. Pure.
import type { FirmwareFault } from '../../../shared/protocol/firmware/firmwareWords.ts';

/** Faults after which the end may have arrived. Every other fault is the terminal's answer, or arose before. */
const UNHEARD = ['aborted', 'disconnected', 'no-answer'] as const;
type Unheard = (typeof UNHEARD)[number];

/**
 * The reason why the arrival isn't known: the terminal is then treated as one that has the image, since sending it again could
 * flash it twice. '' where the end was not on its way, or where the terminal has refused it.
 */
export function unheardArrival(
  { sentBytes }: { readonly sentBytes: number },
  imageBytes: number,
  fault: FirmwareFault | 'aborted',
): FirmwareFault {
  if (sentBytes < imageBytes || !isUnheard(fault)) return '';
  // A pause, a stop, the end of the window or of the gateway: what was on its way is lost or has arrived, as when a connection is lost.
  return fault === 'aborted' ? 'disconnected' : fault;
}

function isUnheard(fault: FirmwareFault | 'aborted'): fault is Unheard {
  return UNHEARD.some((each) => each === fault);
}

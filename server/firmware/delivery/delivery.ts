// An image on its way to a terminal, whichever way it takes.
import type { FirmwareModelContent } from '../../../shared/protocol/api/firmware/images.ts';
import type { FirmwareFault } from '../../../shared/protocol/firmware/firmwareWords.ts';
import type { TerminalSession } from '../../device/terminalSession.ts';

export interface DeliveredImage {
  /** Absolute. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly vendor: string;
  readonly firmwareVersion: string;
  /** FIRMWARE_PART_CODES. */
  readonly partCode: number;
}

export interface DeliveryRequest {
  readonly session: TerminalSession;
  readonly image: DeliveredImage;
  readonly model: Omit<FirmwareModelContent, 'pattern'>;
  /** Ends it at once: a pause, a stop, the end of the window. */
  readonly signal: AbortSignal;
  /** How much of the image the terminal has, as far as is known; it falls when it begins anew. */
  readonly onProgress: (bytes: number) => void;
  /**
   * Awaited before the end of the image goes out: from then on the terminal may have all of it,
   * whether that is heard of or not. False breaks it off: packages end as aborted, and a terminal that downloads asks once more.
   */
  readonly beforeEnd: () => Promise<boolean>;
}

export type DeliveryOutcome =
  /** The terminal has all of it; whether it takes it is told later. */
  | { readonly ok: true }
  /** `isPassing`: another attempt may succeed. */
  | {
      readonly ok: false;
      readonly fault: FirmwareFault | 'aborted';
      readonly isPassing: boolean;
      readonly detail: string;
    };

export interface Delivery {
  deliver(request: DeliveryRequest): Promise<DeliveryOutcome>;
}

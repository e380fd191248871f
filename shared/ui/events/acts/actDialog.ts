import type { ApiResult } from '../../../api/client.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import type { ActContent } from './actRequest.ts';

/** What the dialogs of all acts have in common. */
export interface ActDialogProps {
  /** The events as they were last seen. Other versions of them change nothing of what was typed. */
  readonly events: readonly EventRow[];
  /** A failure stays in the dialog, with everything that was typed. */
  readonly onSend: (content: ActContent) => Promise<ApiResult<unknown>>;
  readonly onClose: () => void;
}

// Acts of members on events, in every page that shows events: asks for what an act needs, sends it, and shows the outcome.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../api/client.ts';
import type { EventActAnswer, EventRow } from '../../protocol/api/events.ts';
import type { EventAct } from '../../protocol/events/eventWords.ts';
import { notify, notifyFailure } from '../notifications.tsx';
import { AssignEventDialog } from './AssignEventDialog.tsx';
import { ActResultDialog } from './acts/ActResultDialog.tsx';
import { type ActContent, actableEvents, eventsOf, type RefusedEvent } from './acts/actRequest.ts';
import { doneText, refusalText } from './acts/actText.ts';
import { sendAct } from './acts/sendAct.ts';
import { CloseEventDialog } from './CloseEventDialog.tsx';
import { NoteEventDialog } from './NoteEventDialog.tsx';
import { useEventNames } from './useEventNames.ts';

/** An act as menus and keys offer it. */
export type OfferedAct = EventAct | 'false-alarm';

export interface EventActs {
  /** Acknowledges at once; for other acts opens the dialog that asks for what they need. Events whose status doesn't allow it are left out. */
  readonly start: (act: OfferedAct, events: readonly EventRow[]) => void;
  /** A dialog is open. */
  readonly isAsking: boolean;
  /** An act is being sent. */
  readonly isBusy: boolean;
  /** The open dialog, which has to be rendered. */
  readonly dialog: ReactNode;
}

export interface UseEventActsOptions {
  /** Events as they are now, whoever has changed them. */
  readonly onChanged: (events: readonly EventRow[]) => void;
}

type Open =
  | { readonly kind: 'form'; readonly act: OfferedAct; readonly events: readonly EventRow[] }
  | {
      readonly kind: 'result';
      readonly act: EventAct;
      readonly content: ActContent;
      readonly doneCount: number;
      readonly refused: readonly RefusedEvent[];
      readonly events: readonly EventRow[];
    };

export function useEventActs({ onChanged }: UseEventActsOptions): EventActs {
  const { t } = useTranslation('Events');
  const { reasonName } = useEventNames();
  const [open, setOpen] = useState<Open>();
  const [isBusy, setBusy] = useState(false);

  const send = async (act: EventAct, events: readonly EventRow[], content: ActContent): Promise<ApiResult<unknown>> => {
    setBusy(true);
    const result = await sendAct(act, events, content);
    setBusy(false);
    if (!result.ok) return result;
    onChanged(eventsOf(result.value));
    return settle({ act, events, content }, result.value);
  };
  const settle = ({ act, events, content }: Sent, answer: EventActAnswer): ApiResult<unknown> => {
    const { refused } = answer;
    const [first] = refused;
    const doneCount = answer.events.length;
    if (first === undefined) {
      notify('success', doneText(act, doneCount));
      setOpen(undefined);
      return { ok: true, value: undefined };
    }
    if (events.length === 1) {
      // What was typed stays, and saving again is about the event as it is now.
      const { event } = first;
      setOpen((at) => (at?.kind === 'form' && event !== null ? { ...at, events: [event] } : at));
      return { ok: false, kind: 'http', status: 409, message: refusalText(first, reasonName) };
    }
    setOpen({ kind: 'result', act, content, doneCount, refused, events });
    return { ok: true, value: undefined };
  };
  /** Without a dialog to say what went wrong. */
  const sendAtOnce = async (act: EventAct, events: readonly EventRow[], content: ActContent): Promise<void> => {
    const result = await send(act, events, content);
    if (!result.ok) notifyFailure(result);
  };
  const start = (act: OfferedAct, events: readonly EventRow[]): void => {
    if (isBusy) return;
    const chosen = actableEvents(eventActOf(act), events);
    if (chosen.length === 0) notify('info', t("The status of the event doesn't allow this."));
    else if (act === 'acknowledge') void sendAtOnce(act, chosen, {});
    else setOpen({ kind: 'form', act, events: chosen });
  };
  const close = () => setOpen(undefined);
  const retry = ({ act, content }: Open & { kind: 'result' }, events: readonly EventRow[]): void => {
    close();
    void sendAtOnce(act, events, content);
  };
  return { start, isAsking: open !== undefined, isBusy, dialog: open && dialogOf(open, { send, retry, close }) };
}

interface Sent {
  readonly act: EventAct;
  readonly events: readonly EventRow[];
  readonly content: ActContent;
}

function eventActOf(act: OfferedAct): EventAct {
  return act === 'false-alarm' ? 'close' : act;
}

interface DialogUses {
  readonly send: (act: EventAct, events: readonly EventRow[], content: ActContent) => Promise<ApiResult<unknown>>;
  readonly retry: (result: Open & { kind: 'result' }, events: readonly EventRow[]) => void;
  readonly close: () => void;
}

function dialogOf(open: Open, { send, retry, close }: DialogUses): ReactNode {
  if (open.kind === 'result')
    return <ActResultDialog {...open} onRetry={(events) => retry(open, events)} onClose={close} />;
  const { act, events } = open;
  const common = { events, onSend: (content: ActContent) => send(eventActOf(act), events, content), onClose: close };
  switch (act) {
    case 'assign':
      return <AssignEventDialog {...common} />;
    case 'note':
    case 'reopen':
      return <NoteEventDialog {...common} act={act} />;
    case 'close':
    case 'false-alarm':
      return <CloseEventDialog {...common} isFalseAlarm={act === 'false-alarm'} />;
    case 'acknowledge':
      return null;
  }
}

// What the keys of the page do to what is listed, selected and looked at.
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { EVENTS_AT_ONCE } from '../../../shared/protocol/events/eventWords.ts';
import type { EventActs } from '../../../shared/ui/events/useEventActs.tsx';
import { notify } from '../../../shared/ui/notifications.tsx';
import type { EventCommand } from './model/eventKeys.ts';
import type { EventChoice } from './useEventChoice.ts';

export interface EventCommandsOptions {
  readonly events: readonly EventRow[];
  readonly choice: EventChoice;
  readonly acts: EventActs;
  readonly onHelp: () => void;
}

export interface EventCommands {
  /** Whether there was a use for the command. */
  readonly run: (command: EventCommand) => boolean;
  readonly selectAll: () => void;
}

export function useEventCommands({ events, choice, acts, onHelp }: EventCommandsOptions): EventCommands {
  const { t } = useTranslation('TodayEvent');
  const { current, selected } = choice;
  const selectAll = () => {
    choice.selectAll();
    if (events.length > EVENTS_AT_ONCE)
      notify(
        'info',
        t('The newest {{number}} events are selected: one change takes no more.', { number: EVENTS_AT_ONCE }),
      );
  };
  /** The selected events count before the one that is looked at. */
  const chosen = selected.length > 0 ? selected : current === undefined ? [] : [current];
  const run = (command: EventCommand): boolean => {
    switch (command.kind) {
      case 'act':
        if (chosen.length > 0) acts.start(command.act, chosen);
        return chosen.length > 0;
      case 'move':
        return choice.move(command.to, command.selects) !== undefined;
      case 'select-all':
        selectAll();
        return true;
      case 'select':
        if (current !== undefined) choice.toggle(current.id);
        return current !== undefined;
      case 'open':
        if (current !== undefined) choice.open(current.id);
        return current !== undefined;
      case 'video':
        if (current !== undefined && current.deviceid !== '')
          choice.showVideo(choice.video === undefined ? 'recording' : undefined);
        return current !== undefined;
      case 'leave':
        return leave(choice);
      case 'help':
        onHelp();
        return true;
    }
  };
  return { run, selectAll };
}

/** One step back: first the selection goes, then the details. */
function leave(choice: EventChoice): boolean {
  if (choice.selected.length > 0) choice.clearSelection();
  else if (choice.isOpen) choice.close();
  else return false;
  return true;
}

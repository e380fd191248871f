import { type RefObject, useEffect, useEffectEvent } from 'react';
import { type EventCommand, eventCommand, isElsewhere } from './model/eventKeys.ts';

/** The keys of the page, wherever the focus is, unless it is in something that has its own. `run` says whether it had a use for one. */
export function useEventKeys(list: RefObject<HTMLElement | null>, run: (command: EventCommand) => boolean): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event.target)) return;
    const command = eventCommand(event, event.target === list.current);
    if (command !== undefined && run(command)) event.preventDefault();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

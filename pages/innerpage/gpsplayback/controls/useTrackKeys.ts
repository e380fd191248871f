import { useEffect } from 'react';
import { useClock } from '../clock/useClock.ts';
import { isForOther, run, type StepTargets, trackCommand } from './trackCommands.ts';

/** The keys of the whole page, unless somebody types. */
export function useTrackKeys(targets: StepTargets): void {
  const clock = useClock();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isForOther(event.target, event.key)) return;
      const command = trackCommand(event);
      if (command === undefined) return;
      event.preventDefault();
      run(command, clock, targets);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [clock, targets]);
}

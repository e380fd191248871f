// The sound of new events, and whether the user or the browser keeps it off.
import { useState } from 'react';
import { readStored, writeStored } from '../../../shared/i18n/browserStorage.ts';
import type { EventRow } from '../../../shared/protocol/api/events.ts';
import { playSound, previewSound } from '../../../shared/ui/events/sounds.ts';
import type { EventNames } from '../../../shared/ui/events/useEventNames.ts';
import { soundOfNew } from './model/newSound.ts';

const MUTED_KEY = 'events-muted';

export interface NewSound {
  readonly isMuted: boolean;
  /** The browser plays nothing before the user has clicked in the page. */
  readonly isBlocked: boolean;
  /** Must be called in the handler of a click, which lifts the browser's block. */
  readonly setMuted: (isMuted: boolean) => void;
  readonly play: (events: readonly EventRow[]) => void;
}

export function useNewSound({ typeOf }: Pick<EventNames, 'typeOf'>): NewSound {
  const [isMuted, setMuted] = useState(() => readStored(MUTED_KEY) === '1');
  const [isBlocked, setBlocked] = useState(false);
  const note = async (outcome: ReturnType<typeof playSound>) => {
    const result = await outcome;
    if (result !== 'skipped') setBlocked(result === 'blocked');
  };
  return {
    isMuted,
    isBlocked,
    setMuted: (next) => {
      writeStored(MUTED_KEY, next ? '1' : '0');
      setMuted(next);
      if (!next) void note(previewSound('chime'));
    },
    play: (events) => {
      if (!isMuted) void note(playSound(soundOfNew(events, (type) => typeOf(type)?.sound ?? 'none')));
    },
  };
}

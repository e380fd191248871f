// The outline in the form: its history, and its shape while it is being dragged.
import { useState } from 'react';
import { sameValue } from '../../../../shared/ui/form/formState.ts';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import type { FenceDraft } from './fenceForm.ts';
import { emptyHistory, type History, recorded, redone, type Step, undone } from './history.ts';
import type { ShapeDraft } from './shapeDraft.ts';

export interface EditedShape {
  /** The current outline, also during a drag. */
  readonly shown: ShapeDraft;
  readonly isLive: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Changes with the same `run` are undone together. */
  readonly change: (shape: ShapeDraft, run?: string) => void;
  readonly setLive: (shape: ShapeDraft) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Clears the history after a conflict: what was undone belongs to another outline. */
  readonly forget: () => void;
}

export function useShape(form: Form<FenceDraft>): EditedShape {
  const [history, setHistory] = useState<History<ShapeDraft>>(emptyHistory);
  const [live, setLive] = useState<ShapeDraft>();
  const present = form.values.geometry;
  const go = (step: Step<ShapeDraft> | undefined) => {
    if (step === undefined) return;
    setLive(undefined);
    setHistory(step.history);
    form.change({ geometry: step.value });
  };
  return {
    shown: live ?? present,
    isLive: live !== undefined,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (shape, run) => {
      setLive(undefined);
      if (sameValue(shape, present)) return;
      setHistory(recorded(history, present, run));
      form.change({ geometry: shape });
    },
    setLive,
    undo: () => go(undone(history, present)),
    redo: () => go(redone(history, present)),
    forget: () => setHistory(emptyHistory()),
  };
}

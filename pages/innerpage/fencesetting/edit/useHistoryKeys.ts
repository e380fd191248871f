import { useEffect, useEffectEvent } from 'react';
import type { EditedShape } from './useShape.ts';

/** Ctrl+Z and Ctrl+Y, or with the Command key; where a text has the focus they are the text's own. */
export function useHistoryKeys({ undo, redo }: Pick<EditedShape, 'undo' | 'redo'>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
    const key = event.key.toLowerCase();
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
    if (!isRedo && key !== 'z') return;
    event.preventDefault();
    if (isRedo) redo();
    else undo();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}

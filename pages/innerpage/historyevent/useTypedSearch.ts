import { useEffect, useEffectEvent, useState } from 'react';
import { useSettled } from '../../../shared/ui/records/useSettled.ts';

/** Typing is over when nothing was typed for this long. */
const PAUSE_MS = 300;

/** What is typed, which is handed on once typing is over. Another text from outside, such as by Back, replaces it. */
export function useTypedSearch(
  text: string,
  onSettled: (text: string) => void,
): readonly [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(text);
  const [given, setGiven] = useState(text);
  if (text !== given) {
    setGiven(text);
    if (text !== typed.trim()) setTyped(text);
  }
  const settled = useSettled(typed.trim(), PAUSE_MS);
  const handOn = useEffectEvent(() => {
    if (settled !== text && settled === typed.trim()) onSettled(settled);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: handed on when it has settled, and at no other change
  useEffect(() => handOn(), [settled]);
  return [typed, setTyped];
}

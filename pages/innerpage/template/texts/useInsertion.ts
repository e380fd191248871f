import { type RefCallback, useLayoutEffect, useRef } from 'react';
import type { TextPart } from '../templateForm.ts';

type Input = HTMLInputElement | HTMLTextAreaElement;

export interface Insertion {
  readonly refOf: (part: TextPart) => RefCallback<Input>;
  /** The field in which the cursor is. */
  readonly setCurrent: (part: TextPart) => void;
  /** Puts a variable where the cursor is, or was last, in place of what is selected there. */
  readonly insert: (variable: string) => void;
}

export function useInsertion(onChange: (part: TextPart, text: string) => void): Insertion {
  const inputs = useRef<Partial<Record<TextPart, Input | null>>>({});
  const current = useRef<TextPart>('body');
  const cursor = useRef<{ readonly part: TextPart; readonly at: number }>(undefined);
  // Runs once the field has its new text, since a new text moves the cursor to its end.
  useLayoutEffect(() => {
    if (cursor.current === undefined) return;
    const { part, at } = cursor.current;
    cursor.current = undefined;
    inputs.current[part]?.focus();
    inputs.current[part]?.setSelectionRange(at, at);
  });
  return {
    refOf: (part) => (input) => {
      inputs.current[part] = input;
    },
    setCurrent: (part) => {
      current.current = part;
    },
    insert: (variable) => {
      const part = inputs.current[current.current] ? current.current : 'body';
      const input = inputs.current[part];
      if (!input) return;
      const { value, selectionStart, selectionEnd } = input;
      const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
      const text = `{{${variable}}}`;
      const next = `${value.slice(0, start)}${text}${value.slice(end)}`;
      if (input.maxLength >= 0 && next.length > input.maxLength) return;
      cursor.current = { part, at: start + text.length };
      onChange(part, next);
    },
  };
}

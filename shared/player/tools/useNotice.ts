import { useEffect, useState } from 'react';

const SHOWN_FOR_MS = 4_000;

export interface Notice {
  readonly text: string;
  readonly say: (text: string) => void;
}

/** A word on what was done; it goes by itself. */
export function useNotice(): Notice {
  const [said, setSaid] = useState({ text: '' });
  useEffect(() => {
    if (said.text === '') return;
    const timer = setTimeout(() => setSaid({ text: '' }), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return { text: said.text, say: (text) => setSaid({ text }) };
}

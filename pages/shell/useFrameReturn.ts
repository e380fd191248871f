// A frame that couldn't be loaded shows the browser's own error. The shell covers it with words, and loads the page again once the
// server answers.
import { useEffect } from 'react';

const ASK_EVERY_MS = 2_000;
/** So that many shells don't come back at once. */
const SPREAD_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;

/** Calls `onBack` once the server answers for the page; a new `attempt` waits again. */
export function useFrameReturn(isAway: boolean, src: string, attempt: number, onBack: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failed attempt starts another wait.
  useEffect(() => {
    if (!isAway) return;
    let isOver = false;
    let call = new AbortController();
    const next = (): ReturnType<typeof setTimeout> => setTimeout(ask, ASK_EVERY_MS + Math.random() * SPREAD_MS);
    const ask = async () => {
      call = new AbortController();
      const limit = setTimeout(() => call.abort(), ANSWER_WITHIN_MS);
      const isBack = await answers(src, call.signal);
      clearTimeout(limit);
      if (isOver) return;
      if (isBack) onBack();
      else timer = next();
    };
    let timer = next();
    return () => {
      isOver = true;
      clearTimeout(timer);
      call.abort();
    };
  }, [isAway, src, attempt, onBack]);
}

/** A proxy in front of a server that is away answers in its place, with a status of its own. */
async function answers(src: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { status } = await fetch(src, { method: 'HEAD', cache: 'no-store', signal });
    return status < 500;
  } catch {
    return false; // still away
  }
}

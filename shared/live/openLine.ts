// A line of live updates with the browser's socket, timers and signals.
import { buildWebSocketUrl } from '../api/query.ts';
import { LIVE_UPDATES_PATH } from '../protocol/api/liveUpdates.ts';
import { LiveLine, type LiveLineDeps, type LiveSocket } from './liveLine.ts';

export interface OpenLine {
  readonly line: LiveLine;
  close(): void;
}

export function openLine(deps: Pick<LiveLineDeps, 'greeting' | 'onRefused'>): OpenLine {
  const line = new LiveLine({
    ...deps,
    open: () => new WebSocket(buildWebSocketUrl(LIVE_UPDATES_PATH)) as LiveSocket,
    runAfter: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    now: Date.now,
    random: Math.random,
  });
  const retry = () => line.retryNow();
  // A laptop that wakes up need not wait for the next due try.
  const onVisible = () => document.visibilityState === 'visible' && retry();
  window.addEventListener('online', retry);
  document.addEventListener('visibilitychange', onVisible);
  return {
    line,
    close: () => {
      window.removeEventListener('online', retry);
      document.removeEventListener('visibilitychange', onVisible);
      line.close();
    },
  };
}

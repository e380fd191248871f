import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgeThread } from '../rules/threadRule.ts';

/**
 * What each thread may take for one thing. On the main thread everybody waits for it, video included; what writes waits for the disk's
 * sync; the others read for people who asked for much.
 */
const THREAD_LIMITS_MS = {
  main: 500,
  'database-writer': 5_000,
  'database-reader': 15_000,
  tracks: 30_000,
  'report-results': 30_000,
} as const;
type ThreadName = keyof typeof THREAD_LIMITS_MS;

export interface WatchedThread {
  readonly name: ThreadName;
  /** Null: it has not been needed in the last hour. */
  readonly longestMs: () => number | null;
}

export function createThreadSource(threads: readonly WatchedThread[]): HealthSource {
  return {
    kind: 'threads',
    read: async () =>
      threads.map(({ name, longestMs }) => checkOf('threads', name, judgeThread(longestMs(), THREAD_LIMITS_MS[name]))),
  };
}

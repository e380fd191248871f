import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgeQueue, type QueueFacts, type QueueLimits } from '../rules/queueRule.ts';

const QUEUES = ['positions', 'events', 'messages', 'commands', 'sync', 'reports'] as const;
type Queue = (typeof QUEUES)[number];

/** A tenth of what the queue can hold, where there is such a bound; ages by what users put up with. */
const QUEUE_LIMITS: Readonly<Record<Queue, QueueLimits>> = {
  positions: { mostWaiting: 36_000, mostAgeMs: 30_000, advice: 'check-database' },
  events: { mostWaiting: 2_000, advice: 'check-database' },
  // Messages that are due: others wait for their time.
  messages: { mostWaiting: 1_000, mostAgeMs: 5 * 60_000, advice: 'check-senders' },
  // Commands wait for their terminals.
  commands: { mostWaiting: 5_000, advice: 'check-devices' },
  // Devices that wait to sync; a thousand vehicles may come home at once.
  sync: { mostWaiting: 5_000, advice: 'check-sync' },
  reports: { mostWaiting: 50, mostAgeMs: 30 * 60_000, advice: 'check-reports' },
};

export type QueueReaders = Readonly<Record<Queue, () => Promise<QueueFacts> | QueueFacts>>;

export function createQueueSource(readers: QueueReaders): HealthSource {
  return {
    kind: 'queues',
    read: () =>
      Promise.all(
        QUEUES.map(async (queue) => checkOf('queues', queue, judgeQueue(await readers[queue](), QUEUE_LIMITS[queue]))),
      ),
  };
}

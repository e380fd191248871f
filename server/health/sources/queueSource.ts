import { checkOf, type HealthSource } from '../healthSource.ts';
import { judgeQueue, type QueueFacts, type QueueLimits } from '../rules/queueRule.ts';

const QUEUES = ['positions', 'events', 'messages', 'commands', 'sync', 'reports'] as const;
type Queue = (typeof QUEUES)[number];

/** A tenth of what is held at all, where there is such a bound; times by what people wait for. */
const QUEUE_LIMITS: Readonly<Record<Queue, QueueLimits>> = {
  positions: { mostWaiting: 36_000, mostAgeMs: 30_000, advice: 'check-database' },
  events: { mostWaiting: 2_000, advice: 'check-database' },
  // Those that are due: others wait for their time.
  messages: { mostWaiting: 1_000, mostAgeMs: 5 * 60_000, advice: 'check-senders' },
  // They wait for their terminals.
  commands: { mostWaiting: 5_000, advice: 'check-devices' },
  // Devices; a thousand vehicles come home at once.
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

// Notifications: how soon they are sent, how long a page of their log takes, and what rules cost. Method: docs/bench.md.
import type { Row } from '../table.ts';
import { benchDelivery } from './delivery.ts';
import { benchLog } from './log.ts';
import { benchPlanning } from './planning.ts';

export interface OutboxOptions {
  readonly devices: number;
  readonly seconds: number;
  /** In the log. */
  readonly messages: number;
  readonly postgresPrograms: string | undefined;
  readonly onProgress: (text: string) => void;
}

export async function benchOutbox(options: OutboxOptions): Promise<Record<string, readonly Row[]>> {
  return {
    'rules of notifications': await benchPlanning(options.onProgress),
    outbox: await benchDelivery(options),
    'log of messages': await benchLog(options),
  };
}

// The webhook's other side: takes every call at once, and remembers when each came.
import { startHttpSink } from '../../support/notify/httpSink.ts';

export interface TakenCall {
  readonly key: string;
  readonly deviceId: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

export interface TimedSink {
  readonly port: number;
  readonly calls: readonly TakenCall[];
  close(): Promise<void>;
}

export async function startTimedSink(): Promise<TimedSink> {
  const calls: TakenCall[] = [];
  const sink = await startHttpSink((response, { headers, body }) => {
    const atMs = Date.now();
    response.end('taken');
    const { device } = JSON.parse(body.toString('utf8')) as { readonly device: { readonly id: string } };
    calls.push({ key: String(headers['idempotency-key']), deviceId: device.id, atMs });
  });
  return { port: sink.port, calls, close: sink.close };
}

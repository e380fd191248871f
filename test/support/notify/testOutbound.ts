import { createGuard, type Resolve } from '../../../server/notify/senders/guard/guard.ts';
import type { Outbound, SmtpTimes } from '../../../server/notify/senders/outbound.ts';

export interface TestOutbound extends Outbound {
  /** Names of the limits that were reached. */
  readonly limits: readonly string[];
  readonly faults: readonly Error[];
}

export interface TestOutboundOptions {
  readonly networks?: readonly string[];
  readonly resolve?: Resolve;
  readonly authorities?: readonly string[];
  readonly totalMs?: number;
  readonly smtpTimes?: SmtpTimes;
}

/** Lets transports reach this machine, where the servers of the tests are. */
export function createTestOutbound(options: TestOutboundOptions = {}): TestOutbound {
  const { networks = ['127.0.0.0/8', '::1'], resolve, authorities, totalMs = 10_000, smtpTimes } = options;
  const limits: string[] = [];
  const faults: Error[] = [];
  return {
    guard: createGuard(networks, resolve),
    onLimit: ({ name }) => void limits.push(name),
    onFault: (error) => void faults.push(error),
    totalMs,
    ...(smtpTimes === undefined ? {} : { smtpTimes }),
    ...(authorities === undefined ? {} : { authorities }),
    limits,
    faults,
  };
}

import { describe, expect, it } from 'vitest';
import { superviseGateway } from '../../../../server/setup/supervise.mjs';

interface Run {
  readonly code?: number;
  readonly signal?: NodeJS.Signals;
  readonly isStopped?: boolean;
  readonly ranMs?: number;
}

/** Lets gateways end one after another as they are told; when there is none left, the command is told to stop while it waits. */
async function supervise(runs: readonly Run[]) {
  const left = [...runs];
  const waits: number[] = [];
  const said: string[] = [];
  const restarts: (string | undefined)[] = [];
  let nowMs = 0;
  const exitCode = await superviseGateway({
    run: async (env) => {
      restarts.push(env.FLEETGLASS_RESTARTS);
      const { code, signal, isStopped = false, ranMs = 100 } = left.shift() ?? {};
      nowMs += ranMs;
      return { code: code ?? null, signal: signal ?? null, isStopped };
    },
    wait: async (ms) => {
      nowMs += ms;
      waits.push(ms);
      return left.length === 0;
    },
    now: () => nowMs,
    say: (text) => said.push(text),
  });
  return { exitCode, waits, said, restarts };
}

const FAULT: Run = { code: 70 };

describe('a gateway that ended', () => {
  it.each([
    ['in order', { code: 0 }, 0],
    ['because it could not start', { code: 1 }, 1],
    ['because of its arguments', { code: 2 }, 2],
    ['by a signal before it was ready', { signal: 'SIGTERM' }, 143],
    ['by Ctrl-C', { signal: 'SIGINT' }, 130],
    ['when it was told to, however', { code: 70, isStopped: true }, 70],
  ] as const)('%s is not started again', async (_why, run, exitCode) => {
    expect(await supervise([run])).toEqual({ exitCode, waits: [], said: [], restarts: ['0'] });
  });

  it.each([
    ['exit code 70', FAULT],
    ['exit code 134', { code: 134 }],
    ['SIGKILL', { signal: 'SIGKILL' }],
    ['SIGSEGV', { signal: 'SIGSEGV' }],
  ] as const)('by a fault (%s) is started again after a second, and it is said', async (reason, run) => {
    const { exitCode, waits, said, restarts } = await supervise([run, { code: 0 }]);
    expect([exitCode, waits, restarts]).toEqual([0, [1_000], ['0', '1']]);
    expect(said).toEqual([`The gateway ended by a fault (${reason}). It is started again in 1 s.`]);
  });

  it('again and again waits longer, up to half a minute, and a second once it has run for a minute', async () => {
    const failing = Array.from({ length: 7 }, () => FAULT);
    const { waits } = await supervise([...failing, { ...FAULT, ranMs: 60_000 }, { code: 0 }]);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 1_000]);
  });

  it('by a fault is started again until it starts', async () => {
    const { exitCode, waits } = await supervise([FAULT, { code: 1 }, { code: 1 }, { ...FAULT, ranMs: 90_000 }]);
    expect([exitCode, waits]).toEqual([0, [1_000, 2_000, 4_000, 1_000]]);
  });

  it('by a fault is not started again when the command is stopped while it waits', async () => {
    expect((await supervise([FAULT])).restarts).toEqual(['0']);
  });
});

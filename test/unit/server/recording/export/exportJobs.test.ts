import { PassThrough, type Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ExportJob, ExportJobs } from '../../../../../server/recording/export/exportJobs.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const PIECE = Buffer.alloc(512 * 1024);

describe('exports that crawl', () => {
  let timers: ManualTimers;
  let jobs: ExportJobs;
  let reached: string[];
  let downloads: Readable[];
  beforeEach(() => {
    timers = new ManualTimers();
    [reached, downloads] = [[], []];
    const { now, runAfter } = timers;
    jobs = new ExportJobs({ now, runAfter, onLimit: ({ name }) => void reached.push(name) });
  });

  /** By one link, or one session, of a member. */
  function enter(account: string, owner: string): ExportJob {
    const job = jobs.enter({ owner, account }, 'mp4');
    if (typeof job === 'string') throw new Error(job);
    return job;
  }

  /** Its download has always something to take. */
  function download(account: string, owner: string): void {
    const mp4s = new PassThrough({ highWaterMark: 16 * PIECE.byteLength });
    const give = (): void => void (mp4s.write(PIECE) && setImmediate(give));
    give();
    mp4s.on('drain', give);
    downloads.push(jobs.deliver(enter(account, owner), mp4s).on('error', () => undefined));
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  async function pass(minutes: number, piecesPerMinute: number): Promise<void> {
    for (let taken = 0; taken < minutes * piecesPerMinute; taken++) {
      for (let wait = 0; wait < 20; wait++) await turn();
      for (const each of downloads) each.read();
      for (let wait = 0; wait < 3; wait++) await turn();
      timers.advance(60_000 / piecesPerMinute);
    }
  }

  const stateOf = (owner: string) => jobs.find(owner, 'mp4')?.state;

  it('give their places to others who wait', async () => {
    for (const [account, owner] of [
      ['ann', 'a1'],
      ['ann', 'a2'],
      ['bob', 'b1'],
      ['bob', 'b2'],
    ] as const)
      download(account, owner);
    enter('cho', 'c1');
    await pass(3, 1);
    expect([stateOf('a1'), stateOf('c1')]).toEqual(['running', 'waiting']);
    await pass(3, 1);
    expect([stateOf('a1'), stateOf('c1')]).toEqual(['stalled', 'running']);
    expect(reached).toContain('exports.slow-seconds.download');
  });

  it('give a place to another caller of the same account', async () => {
    for (const owner of ['a1', 'a2']) download('ann', owner);
    enter('ann', 'a3');
    await pass(6, 1);
    expect(stateOf('a3')).toBe('running');
  });

  it('go on while nobody waits, and while those who wait would have no turn by their end', async () => {
    for (const owner of ['a1', 'a2']) download('ann', owner);
    for (const owner of ['b1', 'b2', 'b3']) enter('bob', owner);
    await pass(10, 1);
    expect([stateOf('a1'), stateOf('a2'), stateOf('b3')]).toEqual(['running', 'running', 'waiting']);
  });

  it('are not those of a telephone line, with four pieces a minute', async () => {
    for (const [account, owner] of [
      ['ann', 'a1'],
      ['ann', 'a2'],
      ['bob', 'b1'],
      ['bob', 'b2'],
    ] as const)
      download(account, owner);
    enter('cho', 'c1');
    await pass(10, 4);
    expect([stateOf('a1'), stateOf('c1')]).toEqual(['running', 'waiting']);
  });
});

import { PassThrough, type Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ExportJob, ExportJobs } from '../../../../../server/recording/export/exportJobs.ts';
import { ONE_OWNER, OWNERS_BY_HUNDRED } from '../../../../support/fakes/deviceOwners.ts';
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
    jobs = new ExportJobs({ owners: ONE_OWNER, now, runAfter, onLimit: ({ name }) => void reached.push(name) });
  });

  /** By one link, or one session, of a member. */
  function enter(account: string, owner: string): ExportJob {
    const job = jobs.enter({ owner, account, deviceId: 'BUS1' }, 'mp4');
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

describe('exports of several member groups', () => {
  let jobs: ExportJobs;
  let reached: string[];
  beforeEach(() => {
    reached = [];
    const { now, runAfter } = new ManualTimers();
    jobs = new ExportJobs({ owners: OWNERS_BY_HUNDRED, now, runAfter, onLimit: ({ name }) => void reached.push(name) });
  });

  /** Each of an account of its own. */
  let accounts = 0;
  function enter(deviceId: string) {
    const owner = `account ${++accounts}`;
    const job = jobs.enter({ owner, account: owner, deviceId }, 'mp4');
    const stateOf = () => jobs.find(owner, 'mp4')?.state;
    return typeof job === 'string' ? undefined : { ...job, stateOf };
  }

  it('leave a place for those of another group, however many accounts there are', () => {
    const first = [enter('BUS101'), enter('BUS102'), enter('BUS103'), enter('BUS104')];
    expect(first.map((job) => job?.stateOf())).toEqual(['running', 'running', 'running', 'waiting']);
    expect(reached).toEqual(['exports.running.process']);
    expect(enter('BUS201')?.stateOf()).toBe('running');
  });

  it('wait in turn: next is the group with the fewest that run', () => {
    const first = [enter('BUS101'), enter('BUS102'), enter('BUS103')];
    const only = enter('BUS201');
    const [another, own, third] = [enter('BUS101'), enter('BUS202'), enter('BUS301')];
    only?.end('done');
    expect([another?.stateOf(), own?.stateOf(), third?.stateOf()]).toEqual(['waiting', 'running', 'waiting']);
    first[0]?.end('done');
    expect([another?.stateOf(), third?.stateOf()]).toEqual(['waiting', 'running']);
    expect(first[1]?.isWaitedFor()).toBe(true);
    third?.end('done');
    own?.end('done');
    expect(another?.stateOf()).toBe('running');
  });

  it('leave room to wait', () => {
    let waiting = 0;
    while (enter('BUS101') !== undefined) waiting++;
    expect(waiting).toBe(3 + 48);
    expect(reached.at(-1)).toBe('exports.waiting.process');
    enter('BUS201');
    expect(enter('BUS202')?.stateOf()).toBe('waiting');
  });
});

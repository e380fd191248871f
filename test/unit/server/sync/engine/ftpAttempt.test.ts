import { once } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FtpUploadLogin } from '../../../../../server/ftp/ftpLogin.ts';
import type { AttemptEnd } from '../../../../../server/sync/engine/afterAttempt.ts';
import { fetchByFtp } from '../../../../../server/sync/engine/attempts/ftpAttempt.ts';
import type { UploadOrder, UploadRequested } from '../../../../../server/sync/engine/attempts/uploadPort.ts';
import type { FileNote } from '../../../../../server/sync/engine/attempts/wholeFiles.ts';
import type { IngestOutcome, IngestTarget } from '../../../../../server/sync/ingest/ingest.ts';
import type { FileLength } from '../../../../../server/sync/plan/undatedFiles.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { anAttempt, FROM_MS, TO_MS } from '../../../../support/sync/anAttempt.ts';
import { waitFor } from '../../../../support/waitFor.ts';

const ADDRESS = { host: 'gateway', port: 7021, user: 'u', password: 'p', path: '/u' };
const MINUTE_MS = 60_000;
const DATED: FileLength = { isDated: true, lengthMs: 4_000 };
const STORED: IngestOutcome = { kind: 'stored', addedMs: 4_000, bytes: 9 };

describe('an upload of a recording by FTP (S-2.4.8)', () => {
  let timers: ManualTimers;
  let login: FtpUploadLogin | undefined;
  let isLoginOpen: boolean;
  let removed: string[];
  let kept: string[];
  let notes: { path: string; note: FileNote | undefined }[];
  let noting: Promise<void>;
  let read: { path: string; target: IngestTarget }[];
  /** Outcome of a file that takes a while to read; it is given up with the signal. */
  let reading: Promise<IngestOutcome> | undefined;
  let controls: string[];
  let orders: UploadOrder[];
  let knowsPause: boolean;
  let isOnline: boolean;
  let hasLogins: boolean;
  let refusal: Exclude<UploadRequested, { ok: true }>['reason'] | undefined;
  let outcomes: IngestOutcome[];
  let lengths: Record<string, FileLength | undefined>;
  let say: (how: 'done' | 'failed' | 'silent') => void;
  beforeEach(() => {
    timers = new ManualTimers();
    [login, refusal] = [undefined, undefined];
    [isLoginOpen, isOnline, hasLogins, knowsPause] = [false, true, true, true];
    [removed, kept, read, controls, orders, outcomes] = [[], [], [], [], [], []];
    lengths = {};
    reading = undefined;
    [notes, noting] = [[], Promise.resolve()];
  });

  function begin(networks = 7) {
    const scene = anAttempt(networks);
    const done = new Promise<'done' | 'failed' | 'silent'>((resolve) => {
      say = resolve;
    });
    const end = fetchByFtp(scene.attempt, {
      logins: {
        open: (opened) => {
          if (!hasLogins) return undefined;
          login = opened as FtpUploadLogin;
          isLoginOpen = true;
          const close = (): void => {
            isLoginOpen = false;
          };
          return { address: ADDRESS, close };
        },
      },
      uploads: {
        request: async (order) => {
          orders.push(order);
          if (refusal !== undefined) return { ok: false, reason: refusal };
          const control = async (act: string): Promise<boolean> => {
            controls.push(act);
            return knowsPause;
          };
          return { ok: true, done, control };
        },
      },
      ingest: {
        length: async (path) => (path in lengths ? lengths[path] : DATED),
        file: async (path, target, signal) => {
          expect(isLoginOpen, 'nothing comes into a file that is read').toBe(false);
          read.push({ path, target });
          const outcome = outcomes[read.length - 1] ?? STORED;
          if (reading === undefined) return outcome;
          const givenUp = once(signal, 'abort').then((): IngestOutcome => ({ kind: 'failed', fault: 'incomplete' }));
          return Promise.race([reading, givenUp]);
        },
      },
      addressesOf: () => (isOnline ? { remoteAddress: '10.0.0.1', localAddress: '10.0.0.2' } : undefined),
      makeFolder: async () => '/data/sync/a',
      removeFolder: async (path) => void removed.push(path),
      noteFile: async (path, note) => {
        await noting;
        expect(removed, 'nothing is written into a folder that is gone').toEqual([]);
        notes.push({ path, note });
      },
      keep: async (path) => {
        kept.push(path);
        return true;
      },
      now: timers.now,
      runAfter: timers.runAfter,
      onFault: (error) => {
        throw error;
      },
      onLimit: () => undefined,
    });
    return { ...scene, end };
  }

  async function begun(networks?: number) {
    const scene = begin(networks);
    await waitFor('the terminal is asked', () => orders.length === 1 && timers.pending === 2);
    return scene;
  }

  const told = async (name: string, bytes: number, isWhole = true): Promise<void> => {
    login?.onBytes(bytes);
    await login?.onFile({ path: `/data/sync/a/${name}`, name, bytes, isWhole });
  };
  const come = (name: string, bytes: number, isWhole = true): void => void told(name, bytes, isWhole);
  const closed = (): void => {
    expect({ isLoginOpen, removed, pending: timers.pending }).toEqual({
      isLoginOpen: false,
      removed: ['/data/sync/a'],
      pending: 0,
    });
  };

  it('notes for whom a file came whole before the terminal hears of it, and no file that broke off', async () => {
    let write = (): void => undefined;
    noting = new Promise((resolve) => {
      write = resolve;
    });
    const { end } = await begun();
    const both = Promise.all([told('one.mp4', 500), told('two.mp4', 300, false)]);
    say('done');
    write();
    await both;
    const path = (name: string): string => `/data/sync/a/${name}`;
    expect(notes).toEqual([
      { path: path('one.mp4'), note: { item: 9, deviceFromMs: FROM_MS, deviceToMs: TO_MS, bytes: 500, place: 0 } },
      { path: path('two.mp4'), note: undefined },
    ]);
    expect(await end).toMatchObject({ kind: 'failed', fault: 'incomplete' });
  });

  it('asks for what is missing, and uses the files that came whole', async () => {
    const { end, states, received } = await begun();
    expect(orders[0]).toEqual({
      deviceId: 'BUS1',
      to: ADDRESS,
      channel: 1,
      stream: 'sub',
      from: FROM_MS,
      until: TO_MS,
      networks: 7,
    });
    expect(login).toMatchObject({
      deviceId: 'BUS1',
      incarnation: 4,
      remoteAddress: '10.0.0.1',
      folder: '/data/sync/a',
    });
    come('one.mp4', 500);
    come('two.mp4', 300);
    say('done');
    expect(await end).toEqual({ kind: 'stored' });
    expect(read.map(({ path }) => path)).toEqual(['/data/sync/a/one.mp4', '/data/sync/a/two.mp4']);
    expect(read[0]?.target).toMatchObject({ archiveId: 'BUS1', channel: 1, quality: 'sub' });
    expect(read[0]?.target.toGatewayMs(FROM_MS)).toBe(FROM_MS + 5_000);
    expect([states, received]).toEqual([
      ['running', 'checking'],
      [500, 300],
    ]);
    closed();
  });

  it('waits some seconds for a last file that is closed after the terminal is done', async () => {
    const { end } = await begun();
    login?.onBytes(500);
    say('done');
    await waitFor('it waits', () => timers.pending === 3);
    come('one.mp4', 500);
    expect(await end).toEqual({ kind: 'stored' });
    closed();
  });

  it.each<[string, Exclude<UploadRequested, { ok: true }>['reason'], AttemptEnd]>([
    ['refuses', 'refused', { kind: 'unusable', fault: 'refused' }],
    ['does not answer', 'no-answer', { kind: 'failed', fault: 'no-answer', addedMs: 0 }],
    ['goes', 'offline', { kind: 'failed', fault: 'disconnected', addedMs: 0 }],
  ])('ends where the terminal %s', async (_what, reason, expected) => {
    refusal = reason;
    expect(await begin().end).toEqual(expected);
    closed();
  });

  it('does not begin while the device is away, or without a login', async () => {
    isOnline = false;
    expect(await begin().end).toEqual({ kind: 'failed', fault: 'disconnected', addedMs: 0 });
    [isOnline, hasLogins] = [true, false];
    expect(await begin().end).toEqual({ kind: 'busy' });
    expect([orders, removed]).toEqual([[], ['/data/sync/a']]);
  });

  it('never takes half a file for a whole one', async () => {
    const { end } = await begun();
    come('one.mp4', 500);
    come('two.mp4', 300, false);
    say('done');
    expect(await end).toEqual({ kind: 'failed', fault: 'incomplete', addedMs: 4_000 });
    expect(read.map(({ path }) => path)).toEqual(['/data/sync/a/one.mp4']);
    const half = await (async () => {
      [orders, removed] = [[], []];
      return begun();
    })();
    come('one.mp4', 500, false);
    say('failed');
    expect(await half.end).toEqual({ kind: 'failed', fault: 'incomplete', addedMs: 0 });
    expect(read).toHaveLength(1);
  });

  describe('of several files without dates', () => {
    const SPAN_MS = TO_MS - FROM_MS;
    const undated = (name: string, lengthMs: number): void => {
      lengths[`/data/sync/a/${name}`] = { isDated: false, lengthMs };
      come(name, 500);
    };

    it('places them one after the other where they fill what was asked for', async () => {
      const { end } = await begun();
      undated('a', SPAN_MS / 4);
      undated('b', SPAN_MS / 2);
      undated('c', SPAN_MS / 4 - 500);
      say('done');
      expect(await end).toEqual({ kind: 'stored' });
      expect(read.map(({ target }) => target.deviceFromMs - FROM_MS)).toEqual([0, SPAN_MS / 4, (SPAN_MS * 3) / 4]);
    });

    it('goes on with a playback of the card where they do not, and adds only those with dates', async () => {
      const { end } = await begun();
      undated('a', SPAN_MS / 4);
      come('dated', 500);
      undated('b', SPAN_MS / 4);
      say('done');
      expect(await end).toMatchObject({ kind: 'unusable', fault: 'unreadable' });
      expect(read.map(({ path }) => path)).toEqual(['/data/sync/a/dated']);
      expect(kept).toEqual(['/data/sync/a/a']);
    });

    it('waits for another attempt where one of them broke off: nobody knows what comes before the other', async () => {
      const { end } = await begun();
      come('a', 300, false);
      undated('b', SPAN_MS);
      say('done');
      expect(await end).toEqual({ kind: 'failed', fault: 'incomplete', addedMs: 0 });
      expect([read, kept]).toEqual([[], []]);
    });

    it('takes one beside what is no video for what was asked for', async () => {
      const { end } = await begun();
      undated('a', SPAN_MS / 4);
      lengths['/data/sync/a/index'] = undefined;
      outcomes = [STORED, { kind: 'unreadable' }];
      come('index', 20);
      say('done');
      expect(await end).toEqual({ kind: 'stored' });
      expect(read.map(({ target }) => target.deviceFromMs)).toEqual([FROM_MS, FROM_MS]);
    });
  });

  it('uses a file that was continued once', async () => {
    const { end } = await begun();
    come('one.mp4', 500, false);
    come('one.mp4', 700);
    say('done');
    expect(await end).toEqual({ kind: 'stored' });
    expect(read).toHaveLength(1);
  });

  it('keeps what is no video, and says so', async () => {
    outcomes = [{ kind: 'unreadable' }];
    const { end } = await begun();
    come('log.bin', 500);
    say('done');
    expect(await end).toEqual({ kind: 'unusable', fault: 'unreadable' });
    expect(kept).toEqual(['/data/sync/a/log.bin']);
    closed();
  });

  it('passes on why a file could not be added', async () => {
    outcomes = [STORED, { kind: 'failed', fault: 'disk-full' }];
    const { end } = await begun();
    come('one.mp4', 500);
    come('two.mp4', 500);
    say('done');
    expect(await end).toEqual({ kind: 'failed', fault: 'disk-full', addedMs: 4_000 });
  });

  it.each<[string, number, AttemptEnd]>([
    ['may use any network has sent nothing', 7, { kind: 'unusable', fault: 'nothing-sent' }],
    ['may not use the mobile one waits for another', 3, { kind: 'no-network' }],
  ])('ends after silence: a terminal that %s', async (_what, networks, expected) => {
    const { end } = await begun(networks);
    timers.advance(3 * MINUTE_MS);
    expect(await end).toEqual(expected);
    expect(controls).toEqual(['cancel']);
    closed();
  });

  it.each<[string, number, AttemptEnd]>([
    ['a part of it is asked for the rest', 60_000, { kind: 'failed', fault: 'incomplete', addedMs: 60_000 }],
    ['nearly all of it is done, though it never says so', 580_000, { kind: 'stored' }],
  ])('a terminal that falls silent after %s', async (_what, addedMs, expected) => {
    outcomes = [{ ...STORED, addedMs }];
    const { end } = await begun();
    come('one.mp4', 500);
    say('silent');
    expect(await end).toEqual(expected);
    closed();
  });

  it('is paused and continued, and silence counts for nothing meanwhile', async () => {
    const { end, hold } = await begun();
    hold.set('viewers', true);
    await waitFor('it is paused', () => controls.length === 1);
    timers.advance(30 * MINUTE_MS);
    hold.set('viewers', false);
    await waitFor('it goes on', () => controls.length === 2);
    expect(controls).toEqual(['pause', 'resume']);
    come('one.mp4', 500);
    say('done');
    expect(await end).toEqual({ kind: 'stored' });
  });

  it('does not ask a terminal again that can not be paused', async () => {
    knowsPause = false;
    const { end, hold } = await begun();
    hold.set('viewers', true);
    await waitFor('it is asked', () => controls.length === 1);
    hold.set('viewers', false);
    hold.set('viewers', true);
    come('one.mp4', 500);
    say('done');
    expect(await end).toEqual({ kind: 'stored' });
    expect(controls).toEqual(['pause']);
  });

  it('waits where a member pauses it, without a transfer that is broken off, and is told nothing twice', async () => {
    const { end, hold } = await begun();
    expect(login?.isPaused?.()).toBe(false);
    hold.set('member', true);
    hold.set('viewers', true);
    await waitFor('it is paused', () => controls.length === 1);
    expect(login?.isPaused?.()).toBe(true);
    // These bytes were on their way when the terminal heard of the pause.
    timers.advance(4_999);
    login?.onBytes(1);
    hold.set('viewers', false);
    hold.set('member', false);
    await waitFor('it goes on', () => controls.length === 2);
    expect(controls).toEqual(['pause', 'resume']);
    come('one.mp4', 500);
    say('done');
    expect(await end).toEqual({ kind: 'stored' });
  });

  it('that a member has paused is paused again where the terminal goes on, as after a new sign-in', async () => {
    const { end, hold } = await begun();
    hold.set('member', true);
    await waitFor('it is paused', () => controls.length === 1);
    timers.advance(5_000);
    login?.onBytes(1);
    await waitFor('it is paused again', () => controls.length === 2);
    timers.advance(1_000);
    login?.onBytes(1);
    knowsPause = false;
    timers.advance(30_000);
    login?.onBytes(1);
    expect(await end).toEqual({ kind: 'stopped' });
    expect(controls).toEqual(['pause', 'pause', 'pause', 'cancel']);
    closed();
  });

  it.each([
    ['pause', false, ['pause', 'cancel']],
    ['go on', true, ['pause', 'resume', 'cancel']],
  ])(
    'of a terminal that can not %s ends where a member has paused it; what came whole stays',
    async (_what, canPause, expected) => {
      knowsPause = canPause;
      const { end, hold } = await begun();
      come('one.mp4', 500);
      hold.set('member', true);
      await waitFor('it is asked', () => controls.length > 0);
      knowsPause = false;
      hold.set('member', false);
      expect(await end).toEqual({ kind: 'stopped' });
      expect([controls, read.length]).toEqual([expected, 1]);
      closed();
    },
  );

  it('is planned again where it is paused until its login is over; what came whole stays', async () => {
    const { end, hold } = await begun();
    come('one.mp4', 500);
    hold.set('viewers', true);
    timers.advance(2 * 60 * MINUTE_MS);
    expect(await end).toEqual({ kind: 'stopped' });
    expect(controls.at(-1)).toBe('cancel');
    expect(read).toHaveLength(1);
    closed();
  });

  it('has come to no end where it goes on until its login is over', async () => {
    const { end } = await begun();
    for (let minute = 0; minute < 120; minute++) {
      login?.onBytes(1);
      timers.advance(MINUTE_MS);
    }
    expect(await end).toEqual({ kind: 'failed', fault: 'incomplete', addedMs: 0 });
    expect(controls).toEqual(['cancel']);
    closed();
  });

  it('is canceled where the engine ends it, and what came whole is read nevertheless', async () => {
    const { end, stop } = await begun();
    come('one.mp4', 500);
    stop();
    expect(await end).toEqual({ kind: 'stopped' });
    expect([controls, read.length]).toEqual([['cancel'], 1]);
    closed();
  });

  it('is read to its end where the engine ends it meanwhile: the terminal was told that it is here', async () => {
    let finish: (outcome: IngestOutcome) => void = () => undefined;
    reading = new Promise((resolve) => {
      finish = resolve;
    });
    const { end, stop } = await begun();
    come('one.mp4', 500);
    come('two.mp4', 300);
    say('done');
    await waitFor('a file is read', () => read.length === 1);
    stop();
    finish(STORED);
    expect(await end).toEqual({ kind: 'stored' });
    expect(read).toHaveLength(2);
    closed();
  });

  it.each(['while it comes', 'while it is read'])(
    'stays for the next start where the gateway ends %s',
    async (when) => {
      reading = new Promise(() => undefined);
      const { end, close } = await begun();
      come('one.mp4', 500);
      come('two.mp4', 300, false);
      if (when === 'while it is read') {
        say('done');
        await waitFor('a file is read', () => read.length === 1);
      }
      close();
      expect(await end).toEqual({ kind: 'stopped' });
      expect([removed, kept, isLoginOpen, timers.pending]).toEqual([[], [], false, 0]);
      expect(notes[0]?.note).toMatchObject({ item: 9, bytes: 500 });
    },
  );

  it('leaves nothing for the next start where nothing came whole', async () => {
    const { end, close } = await begun();
    come('one.mp4', 500, false);
    close();
    expect(await end).toEqual({ kind: 'stopped' });
    closed();
  });
});

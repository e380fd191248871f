import { beforeEach, describe, expect, it } from 'vitest';
import { GeneralResult, MessageId, RegistrationResult } from '../../../../../server/device/jt808/codec/codes.ts';
import type { MessageBody } from '../../../../../server/device/jt808/codec/message.ts';
import { PackageBytes } from '../../../../../server/device/jt808/inbox.ts';
import { SignallingSession } from '../../../../../server/device/jt808/signallingSession.ts';
import { WaitingBytes } from '../../../../../server/device/jt808/waitingBytes.ts';
import type { TerminalSession } from '../../../../../server/device/terminalSession.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { aSignedInDevice } from '../../../../support/aDevice.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { AUTHENTICATION, FakeTerminal, POSITION, REGISTRATION, settled } from './fakeTerminal.ts';

describe('SignallingSession', () => {
  let timers: ManualTimers;
  let terminal: FakeTerminal;
  let registrations: number;
  let reports: MessageBody[];
  let sessions: TerminalSession[];
  let ended: TerminalSession[];
  let isCodeRight: boolean;
  let isCodeKnown: Promise<void>;
  let registrationResult: RegistrationResult;
  let reached: string[];
  let hasRoom: boolean;

  const connect = (edition: '2013' | '2019' = '2019'): void => {
    terminal = new FakeTerminal(edition);
    new SignallingSession(terminal.socket.asSocket(), {
      authenticator: {
        register: async () => {
          await isCodeKnown;
          registrations++;
          const result = registrationResult;
          return result === RegistrationResult.Ok ? { result, code: `code${registrations}` } : { result };
        },
        authenticate: async () => {
          await isCodeKnown;
          return isCodeRight ? aSignedInDevice({ archiveNumber: 5, chn: 4 }) : undefined;
        },
      },
      now: timers.now,
      runAfter: timers.runAfter,
      acknowledgedIds: new Set([0x0506]),
      waiting: new WaitingBytes(() => undefined),
      packageBytes: new PackageBytes(),
      onReport: (_session, body) => hasRoom && reports.push(body) > 0,
      onSignedIn: (session) => sessions.push(session),
      onEnded: (session) => ended.push(session),
      onFault: (error) => {
        throw error;
      },
      onLimit: ({ name }) => reached.push(name),
    });
  };

  const signIn = async (): Promise<TerminalSession> => {
    await terminal.say(AUTHENTICATION);
    terminal.heard();
    const session = sessions.at(-1);
    if (session === undefined) throw new Error('not signed in');
    return session;
  };

  const generalReply = (replySerial: number, replyId: number, result: number) =>
    ({ kind: 'platformGeneralReply', replySerial, replyId, result }) as const;

  beforeEach(() => {
    timers = new ManualTimers();
    registrations = 0;
    reports = [];
    sessions = [];
    ended = [];
    reached = [];
    hasRoom = true;
    isCodeRight = true;
    isCodeKnown = Promise.resolve();
    registrationResult = RegistrationResult.Ok;
    connect();
  });

  describe('repetitions', () => {
    it('answers a frame that is sent again as before, and handles it once', async () => {
      const serial = await terminal.say(REGISTRATION);
      await terminal.say(REGISTRATION, serial);
      expect(registrations).toBe(1);
      const reply = { kind: 'registrationReply', replySerial: serial, result: 0, code: 'code1' };
      expect(terminal.heardBodies()).toEqual([reply, reply]);

      await signIn();
      const reported = await terminal.say(POSITION);
      timers.advance(60_000);
      await terminal.say(POSITION, reported);
      expect(reports).toHaveLength(1);
      const acknowledged = generalReply(reported, MessageId.position, GeneralResult.Ok);
      expect(terminal.heardBodies()).toEqual([acknowledged, acknowledged]);
    });

    it('handles another content under the same serial, which some terminals never move on', async () => {
      await signIn();
      await terminal.say(POSITION, 5);
      await terminal.say({ ...POSITION, speedKmh: 60 }, 5);
      expect(reports).toHaveLength(2);
    });

    it('judges a refused sign-in anew: the terminal may have been adopted meanwhile', async () => {
      registrationResult = RegistrationResult.NoSuchTerminal;
      await terminal.say(REGISTRATION, 1);
      registrationResult = RegistrationResult.Ok;
      await terminal.say(REGISTRATION, 1);
      expect(registrations).toBe(2);
      expect(terminal.heardBodies().at(-1)).toMatchObject({ result: 0, code: 'code2' });
    });

    it('answers a report that found no room with a failure, and takes it when the same frame comes again', async () => {
      await signIn();
      const bulk = { kind: 'bulkPositions', type: 1, positions: [POSITION, POSITION], brokenItems: 0 } as const;
      for (const [body, id] of [
        [POSITION, MessageId.position],
        [bulk, MessageId.bulkPositions],
      ] as const) {
        hasRoom = false;
        const serial = await terminal.say(body);
        expect(terminal.heardBodies()).toEqual([generalReply(serial, id, GeneralResult.Failed)]);
        hasRoom = true;
        await terminal.say(body, serial);
        expect(terminal.heardBodies()).toEqual([generalReply(serial, id, GeneralResult.Ok)]);
      }
      expect(reports.map(({ kind }) => kind)).toEqual(['position', 'bulkPositions']);
    });

    it('takes the same bytes for a new message after five minutes', async () => {
      await signIn();
      await terminal.say(POSITION, 5);
      timers.advance(300_000);
      await terminal.say(POSITION, 5);
      expect(reports).toHaveLength(2);
    });
  });

  describe('what is not handled yet', () => {
    const whileSigningIn = async (): Promise<() => void> => {
      let signIn = (): void => undefined;
      isCodeKnown = new Promise<void>((resolve) => {
        signIn = resolve;
      });
      await terminal.say(AUTHENTICATION);
      return signIn;
    };

    it('is handled in order once the terminal has signed in, and none of it is lost', async () => {
      const signIn = await whileSigningIn();
      for (let speedKmh = 0; speedKmh < 90; speedKmh++) await terminal.say({ ...POSITION, speedKmh });
      expect(reports).toEqual([]);
      signIn();
      await settled();
      const speeds = reports.map((body) => (body.kind === 'position' ? body.speedKmh : undefined));
      expect(speeds).toEqual(Array.from({ length: 90 }, (_, speedKmh) => speedKmh));
    });

    it('stops the reading of the socket until it is handled', async () => {
      const signIn = await whileSigningIn();
      for (let speedKmh = 0; !terminal.socket.isPaused; speedKmh++) await terminal.say({ ...POSITION, speedKmh });
      signIn();
      await settled();
      expect(terminal.socket.isPaused).toBe(false);
    });

    it("is no silence of the terminal's", async () => {
      const signIn = await whileSigningIn();
      terminal.socket.emit('timeout');
      expect(terminal.socket.destroyed).toBe(false);
      signIn();
      await settled();
      terminal.socket.emit('timeout');
      expect(terminal.socket.destroyed).toBe(true);
    });
  });

  describe('too much', () => {
    it('of what a stranger says is read no faster than twenty messages a second', async () => {
      for (let serial = 0; serial < 150; serial++) await terminal.say({ kind: 'heartbeat' }, serial);
      expect(terminal.heardBodies()).toHaveLength(100);
      for (let tenth = 0; tenth < 10; tenth++) {
        timers.advance(100);
        await settled();
      }
      expect(terminal.heardBodies().length).toBeGreaterThan(15);
      expect(terminal.heardBodies().length).toBeLessThan(30);
      expect(reached).toContain('terminals.messages.unauthenticated');
    });

    it('is made of attempts to sign in: after five each waits, a second and then doubling', async () => {
      registrationResult = RegistrationResult.NoSuchTerminal;
      for (let serial = 0; serial < 10; serial++) await terminal.say(REGISTRATION, serial);
      expect(registrations).toBe(5);
      for (const [ms, count] of [
        [1_000, 6],
        [2_000, 7],
        [3_900, 7],
        [100, 8],
      ] as const) {
        timers.advance(ms);
        await settled();
        expect(registrations).toBe(count);
      }
    });

    it('leaves nothing that waits behind when the connection ends', async () => {
      registrationResult = RegistrationResult.NoSuchTerminal;
      for (let serial = 0; serial < 10; serial++) await terminal.say(REGISTRATION, serial);
      terminal.socket.destroy();
      await settled();
      expect(timers.pending).toBe(0);
      expect(registrations).toBe(5);
    });
  });

  describe('packages', () => {
    it('acknowledges each and answers the registration with the serial of the last', async () => {
      await terminal.sayInPackages(REGISTRATION, { total: 3, numbers: [1, 2, 3], firstSerial: 7 });
      expect(terminal.heardBodies()).toEqual([
        generalReply(7, MessageId.registration, GeneralResult.Ok),
        generalReply(8, MessageId.registration, GeneralResult.Ok),
        generalReply(9, MessageId.registration, GeneralResult.Ok),
        { kind: 'registrationReply', replySerial: 9, result: 0, code: 'code1' },
      ]);
    });

    it('handles the joined body as a message, in whatever order its packages came', async () => {
      await signIn();
      await terminal.sayInPackages(POSITION, { total: 2, numbers: [2, 1], firstSerial: 20 });
      expect(reports).toEqual([POSITION]);
      expect(terminal.heardBodies().map((body) => body.kind)).toEqual(['platformGeneralReply', 'platformGeneralReply']);
    });

    it('asks for the missing ones after five seconds, and no more once they came', async () => {
      await signIn();
      await terminal.sayInPackages(POSITION, { total: 3, numbers: [1, 3], firstSerial: 20 });
      terminal.heard();
      timers.advance(4_999);
      expect(terminal.heardBodies()).toEqual([]);
      timers.advance(1);
      expect(terminal.heardBodies()).toEqual([{ kind: 'platformResendRequest', firstSerial: 20, numbers: [2] }]);
      await terminal.sayInPackages(POSITION, { total: 3, numbers: [2], firstSerial: 20 });
      expect(reports).toEqual([POSITION]);
      terminal.heard();
      timers.advance(120_000);
      expect(terminal.heardBodies()).toEqual([]);
    });

    it('refuses those of a stranger, but for a registration', async () => {
      await terminal.sayInPackages(POSITION, { total: 2, numbers: [1], firstSerial: 1 });
      expect(terminal.heardBodies()).toEqual([generalReply(1, MessageId.position, GeneralResult.Failed)]);
      expect(timers.pending).toBe(1); // The time-out of the sign-in alone.
    });

    it('leaves no timer behind when the connection ends between two of them', async () => {
      await signIn();
      await terminal.sayInPackages(POSITION, { total: 3, numbers: [1], firstSerial: 20 });
      terminal.socket.destroy();
      expect(timers.pending).toBe(0);
      expect(ended).toEqual(sessions);
    });
  });

  describe('answers', () => {
    it.each([
      ['a private heartbeat of the list', { kind: 'unknown', id: 0x0506, bytes: new Uint8Array(3) }, GeneralResult.Ok],
      [
        'an id that nobody knows',
        { kind: 'unknown', id: 0x0f01, bytes: new Uint8Array(3) },
        GeneralResult.NotSupported,
      ],
      ['a heartbeat', { kind: 'heartbeat' }, GeneralResult.Ok],
    ] as const)('%s', async (_what, body, result) => {
      await signIn();
      await terminal.say(body);
      expect(terminal.heardBodies()).toMatchObject([{ kind: 'platformGeneralReply', result }]);
    });

    it('what a terminal says before it has signed in with a failure', async () => {
      await terminal.say(POSITION);
      expect(reports).toEqual([]);
      expect(terminal.heardBodies()).toMatchObject([{ result: GeneralResult.Failed }]);
    });

    it('the question for the time in UTC, each time anew', async () => {
      timers.advance(Date.UTC(2026, 10, 21, 5, 6, 7));
      connect();
      await terminal.say({ kind: 'timeQuery' }, 3);
      timers.advance(1_000);
      await terminal.say({ kind: 'timeQuery' }, 3);
      await terminal.say({ kind: 'vendorTimeQuery' });
      const date = { year: 2026, month: 11, day: 21, hour: 5, minute: 6, second: 8 };
      expect(terminal.heardBodies()).toEqual([
        { kind: 'timeReply', time: wallMs(Date.UTC(2026, 10, 21, 5, 6, 7)) },
        { kind: 'timeReply', time: wallMs(Date.UTC(2026, 10, 21, 5, 6, 8)) },
        { kind: 'vendorTimeReply', ...date, result: 0 },
      ]);
    });

    it('a logout, after which the terminal is offline', async () => {
      const session = await signIn();
      await terminal.say({ kind: 'logout' });
      expect(terminal.heardBodies()).toMatchObject([{ result: GeneralResult.Ok }]);
      expect(ended).toEqual([session]);
    });
  });

  it('cuts a connection that does not sign in within a minute', () => {
    timers.advance(59_999);
    expect(terminal.socket.destroyed).toBe(false);
    timers.advance(1);
    expect(terminal.socket.destroyed).toBe(true);
    expect(timers.pending).toBe(0);
  });

  it('takes the time in which it owes an answer for no time of the terminal', async () => {
    let answer = (): void => undefined;
    isCodeKnown = new Promise<void>((resolve) => {
      answer = resolve;
    });
    timers.advance(50_000);
    await terminal.say(REGISTRATION);
    timers.advance(300_000);
    expect(terminal.socket.destroyed).toBe(false);
    answer();
    await settled();
    expect(terminal.heardBodies()).toMatchObject([{ kind: 'registrationReply', result: 0 }]);
    timers.advance(9_999);
    expect(terminal.socket.destroyed).toBe(false);
    timers.advance(1);
    expect(terminal.socket.destroyed).toBe(true);
    expect(reached).toEqual(['terminals.sign-in-ms.connection']);
  });

  it('cuts a stranger that keeps trying within two minutes, however its attempts are slowed', async () => {
    registrationResult = RegistrationResult.NoSuchTerminal;
    for (let second = 0; second < 120 && !terminal.socket.destroyed; second++) {
      await terminal.say(REGISTRATION, second);
      timers.advance(1_000);
      await settled();
    }
    expect(terminal.socket.destroyed).toBe(true);
  });

  it('cuts one that is silent for as long as it was told', async () => {
    const session = await signIn();
    expect(terminal.socket.idleTimeoutMs).toBe(900_000);
    session.setIdleTimeout(90_000);
    expect(terminal.socket.idleTimeoutMs).toBe(90_000);
    terminal.socket.emit('timeout');
    expect(ended).toEqual([session]);
  });
});

// How the limits of registrations and codes of terminals are reached.
import { expect, onTestFinished } from 'vitest';
import { REFUSED_REGISTRATIONS_LIMIT } from '../../../../server/device/jt808/addressGate.ts';
import { terminalNumber } from '../../../../server/device/jt808/codec/header.ts';
import {
  GUESS_TURNS_LIMIT,
  IdentityThrottle,
  REMEMBERED_GUESSERS_LIMIT,
} from '../../../../server/device/jt808/identityThrottle.ts';
import { REMEMBERED_REGISTRATIONS_LIMIT, RegistrationGate } from '../../../../server/device/jt808/registrationGate.ts';
import { ATTEMPTS_LIMIT } from '../../../../server/device/jt808/signallingSession.ts';
import { SIGN_IN_TIMEOUT } from '../../../../server/device/jt808/signInDeadline.ts';
import { AUDIT_LIMIT, TerminalAudit } from '../../../../server/device/jt808/terminalAudit.ts';
import { createTerminalAuthenticator } from '../../../../server/device/jt808/terminalAuthenticator.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import type { AuditEntry } from '../../../../server/store/audit/auditEntry.ts';
import {
  createUnknownTerminalStore,
  UNKNOWN_TERMINALS_LIMIT,
  UNKNOWN_TERMINALS_SHARE,
} from '../../../../server/store/devices/unknownTerminals.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { REGISTRATION, settled } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';
import { times } from '../manyOf.ts';
import { connectTerminal, failNever } from './terminalScene.ts';

const AT = wallMs(1_795_000_000_000);
const noTimer = () => () => undefined;

const timeoutCase: LimitCase = {
  limit: SIGN_IN_TIMEOUT,
  open: (onLimit) => {
    const { terminal, timers } = connectTerminal(onLimit);
    return {
      upTo: () => {
        timers.advance(SIGN_IN_TIMEOUT.max - 1);
        expect(terminal.socket.destroyed).toBe(false);
      },
      beyond: () => {
        timers.advance(1);
        expect(terminal.socket.destroyed).toBe(true);
      },
    };
  },
};

const attemptsCase: LimitCase = {
  limit: ATTEMPTS_LIMIT,
  open: (onLimit) => {
    const { terminal, timers } = connectTerminal(onLimit);
    return {
      upTo: async () => {
        for (let attempt = 0; attempt < ATTEMPTS_LIMIT.max; attempt++) await terminal.say(REGISTRATION);
        expect(terminal.heardBodies()).toHaveLength(ATTEMPTS_LIMIT.max);
      },
      beyond: async () => {
        await terminal.say(REGISTRATION);
        await terminal.say({ kind: 'heartbeat' });
        timers.advance(999);
        await settled();
        expect(terminal.heardBodies()).toEqual([]);
        timers.advance(1);
        await settled();
        expect(terminal.heardBodies().map(({ kind }) => kind)).toEqual(['registrationReply', 'platformGeneralReply']);
      },
    };
  },
};

/** Number of wrong identities that are free. */
const FREE_GUESSES = 5;

const turnsCase: LimitCase = {
  limit: GUESS_TURNS_LIMIT,
  open: (onLimit) => {
    const throttle = new IdentityThrottle(() => 0, onLimit);
    const claim = (guess: number) => ({ number: '1', address: 'a', identity: `${guess}`, isAtHome: false });
    const wait = (guess: number) => throttle.waitMs(claim(guess));
    return {
      upTo: () => {
        times(FREE_GUESSES, (guess) => throttle.failed(claim(guess)));
        const waits = Array.from({ length: GUESS_TURNS_LIMIT.max / 1_000 }, (_, guess) => wait(FREE_GUESSES + guess));
        expect([waits[0], waits.at(-1)]).toEqual([1_000, GUESS_TURNS_LIMIT.max]);
      },
      beyond: async () => {
        const isTurned: boolean[] = [];
        const register = async () => {
          isTurned.push(wait(100) !== undefined);
          return undefined;
        };
        const { terminal } = connectTerminal(onLimit, { register });
        await terminal.say(REGISTRATION);
        expect(isTurned).toEqual([false]);
        expect([terminal.heardBodies(), terminal.socket.destroyed]).toEqual([[], true]);
      },
    };
  },
};

const guessersCase: LimitCase = {
  limit: REMEMBERED_GUESSERS_LIMIT,
  open: (onLimit) => {
    const throttle = new IdentityThrottle(() => 0, onLimit);
    const claim = (guesser: number, identity: number) => ({
      number: `${guesser}`,
      address: `address ${guesser}`,
      identity: `${identity}`,
      isAtHome: false,
    });
    const guess = (guesser: number): void =>
      times(FREE_GUESSES, (identity) => throttle.failed(claim(guesser, identity)));
    const { max } = REMEMBERED_GUESSERS_LIMIT;
    return {
      upTo: () => {
        times(max, guess);
        expect(throttle.waitMs(claim(0, FREE_GUESSES))).toBe(1_000);
      },
      beyond: () => {
        throttle.failed(claim(max, 0));
        // This guess was not made before: an earlier one would keep its turn.
        expect(throttle.waitMs(claim(0, FREE_GUESSES + 1))).toBe(0);
        expect(throttle.waitMs(claim(1, FREE_GUESSES + 1))).toBe(1_000);
      },
      // One call is for the number, the other for the number at its address.
      calls: 2,
    };
  },
};

const auditCase: LimitCase = {
  limit: AUDIT_LIMIT,
  open: (onLimit) => {
    const written: (string | undefined)[] = [];
    const add = async ({ address }: AuditEntry) => void written.push(address);
    let nowMs: number = AT;
    const audit = new TerminalAudit({
      audit: { add },
      now: () => nowMs,
      runAfter: noTimer,
      onLimit,
      onFault: failNever,
    });
    const note = (entry: number) => {
      const shown = { deviceId: 'A', terminal: '1', manufacturer: 'm', terminalId: 't', address: `10.0.0.${entry}` };
      return audit.note({ action: 'terminal.mismatch', ...shown });
    };
    const { max } = AUDIT_LIMIT;
    return {
      upTo: async () => {
        for (let entry = 0; entry < max; entry++) await note(entry);
        await note(0);
        expect(written).toHaveLength(max);
      },
      beyond: async () => {
        await note(max);
        expect(written).toHaveLength(max);
        nowMs += 10_000;
        await note(max + 1);
        expect(written.slice(max)).toEqual([`10.0.0.${max + 1}`]);
      },
    };
  },
};

const refusedCase: LimitCase = {
  limit: REFUSED_REGISTRATIONS_LIMIT,
  open: (onLimit) => {
    const nothing = async () => undefined;
    let listed = 0;
    const slept: number[] = [];
    const note = async () => void listed++;
    const authenticator = createTerminalAuthenticator({
      stores: {
        devices: { findByTerminal: nothing, update: async () => true },
        unknownTerminals: { note, remove: nothing },
        audit: { add: nothing },
      },
      registry: new DeviceRegistry(() => 0),
      now: () => 0,
      runAfter: noTimer,
      onLimit,
      onFault: failNever,
    });
    const header = { messageId: 0x0100, edition: '2019', protocolVersion: 1, encryption: 0, bodyLength: 0 } as const;
    const register = (serial: number, remoteAddress = '10.0.0.1') => {
      const sleep = async (delayMs: number) => slept.push(delayMs) > 0;
      const terminal = terminalNumber(`138${serial}`, '2019');
      return authenticator.register({ ...header, terminal, serial }, REGISTRATION, { remoteAddress, sleep });
    };
    const { max } = REFUSED_REGISTRATIONS_LIMIT;
    return {
      upTo: async () => {
        for (let serial = 0; serial < max; serial++) await register(serial);
        expect([listed, slept]).toEqual([max, []]);
      },
      beyond: async () => {
        expect(await register(max)).toBeUndefined();
        expect([listed, slept]).toEqual([max, [30_000]]);
        await register(0, '10.0.0.2');
        expect([listed, slept]).toEqual([max + 1, [30_000]]);
      },
    };
  },
};

const rememberedCase: LimitCase = {
  limit: REMEMBERED_REGISTRATIONS_LIMIT,
  open: (onLimit) => {
    const gate = new RegistrationGate({ now: () => 0, runAfter: noTimer, onLimit });
    const enter = (index: number) => {
      const caller = { remoteAddress: `${index}`, sleep: async () => true };
      return gate.enter({ address: caller.remoteAddress, number: '1', identity: 'x' }, caller);
    };
    const letIn = async (index: number) => (await enter(index))?.leave('let-in');
    const { max } = REMEMBERED_REGISTRATIONS_LIMIT;
    return {
      upTo: async () => {
        for (let index = 0; index < max; index++) await letIn(index);
        expect(await enter(0)).toMatchObject({ wasLetIn: true });
      },
      beyond: async () => {
        await letIn(max);
        // Looking at a registration does not make it newer.
        expect(await enter(0)).toMatchObject({ wasLetIn: false });
        expect(await enter(1)).toMatchObject({ wasLetIn: true });
      },
      // The calls are for an address and an outcome, and for the address that is back.
      calls: 3,
    };
  },
};

const registrationFrom = (address: string, number: number) => ({
  terminal: { canonical: `${number}`, raw: `${number}` },
  edition: '2019',
  manufacturer: 'm',
  model: '',
  terminalId: 't',
  plate: '',
  plateColour: 0,
  address,
});

/** The list, filled by this many addresses in turn; each terminal was seen a second after the one before. */
function listCase(limit: LimitCase['limit'], addresses: number): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const database = await openTestDatabase('sqlite');
      onTestFinished(() => database.close());
      const store = createUnknownTerminalStore(database.db, { onLimit });
      const note = (number: number): Promise<void> =>
        store.note(registrationFrom(`10.0.0.${number % addresses}`, number), wallMs(AT + number * 1_000));
      const missing = async (most: number): Promise<readonly number[]> => {
        const listed = new Set((await store.list()).map(({ terminal }) => Number(terminal.canonical)));
        return Array.from({ length: most }, (_, number) => number).filter((number) => !listed.has(number));
      };
      return {
        upTo: async () => {
          for (let number = 0; number < limit.max; number++) await note(number);
          expect(await missing(limit.max)).toEqual([]);
        },
        beyond: async () => {
          // The newest terminal is of the first address again.
          const newest = Math.ceil(limit.max / addresses) * addresses;
          await note(newest);
          expect(await missing(limit.max)).toEqual([0]);
          expect(await store.find(`${newest}`)).toBeDefined();
        },
      };
    },
  };
}

export const terminalSignInCases: readonly LimitCase[] = [
  timeoutCase,
  attemptsCase,
  turnsCase,
  guessersCase,
  auditCase,
  refusedCase,
  rememberedCase,
  listCase(UNKNOWN_TERMINALS_SHARE, 1),
  listCase(UNKNOWN_TERMINALS_LIMIT, 20),
];

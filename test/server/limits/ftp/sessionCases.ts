// How the limits of control connections of the file transfer server are reached.
import { expect } from 'vitest';
import {
  COMMANDS_LIMIT,
  IDLE_LIMIT,
  LINE_LIMIT,
  LOGIN_CONNECTIONS_LIMIT,
  LOGINS_LIMIT,
  PASSWORDS_LIMIT,
  SIGN_IN_LIMIT,
  UNSENT_REPLIES_LIMIT,
  WAITING_COMMANDS_LIMIT,
} from '../../../../server/ftp/ftpLimits.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { settled } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from '../describeLimits.ts';
import { times } from '../manyOf.ts';
import { openServer, uploadLogin } from './ftpScene.ts';

function signedIn(onLimit: OnLimit) {
  const server = openServer(onLimit);
  const open = server.logins.open(uploadLogin());
  if (open === undefined) throw new Error('there is no room for a login');
  return { ...server, address: open.address };
}

const loginsCase: LimitCase = {
  limit: LOGINS_LIMIT,
  open: (onLimit) => {
    const { logins } = openServer(onLimit);
    return {
      upTo: () => {
        times(LOGINS_LIMIT.max - 1, () => expect(logins.open(uploadLogin())).toBeDefined());
      },
      beyond: () => {
        const last = logins.open(uploadLogin());
        expect(logins.open(uploadLogin())).toBeUndefined();
        last?.close();
        expect(logins.open(uploadLogin())).toBeDefined();
      },
    };
  },
};

const loginConnectionsCase: LimitCase = {
  limit: LOGIN_CONNECTIONS_LIMIT,
  open: (onLimit) => {
    const { dial, address } = signedIn(onLimit);
    const clients = Array.from({ length: LOGIN_CONNECTIONS_LIMIT.max }, dial);
    return {
      upTo: async () => {
        for (const client of clients) expect(await client.signIn(address)).toEqual(['331', '230']);
      },
      beyond: async () => {
        expect(await dial().signIn(address)).toEqual(['331', '421']);
        clients[0]?.socket.destroy();
        expect(await dial().signIn(address)).toEqual(['331', '230']);
      },
    };
  },
};

const signInCase: LimitCase = {
  limit: SIGN_IN_LIMIT,
  open: (onLimit) => {
    const { timers, dial, address } = signedIn(onLimit);
    const [silent, terminal] = [dial(), dial()];
    return {
      upTo: async () => {
        await terminal.signIn(address);
        await silent.say('NOOP');
        timers.advance(SIGN_IN_LIMIT.max - 1);
        expect(silent.codes).toEqual(['200']);
      },
      beyond: () => {
        timers.advance(1);
        expect(silent.codes).toEqual(['200', '421']);
        timers.advance(1_000);
        expect([silent.socket.destroyed, terminal.socket.destroyed]).toEqual([true, false]);
      },
    };
  },
};

const passwordsCase: LimitCase = {
  limit: PASSWORDS_LIMIT,
  open: (onLimit) => {
    const client = openServer(onLimit).dial();
    return {
      upTo: async () => {
        for (let at = 0; at < PASSWORDS_LIMIT.max; at++) expect(await client.say('PASS x')).toEqual(['530']);
      },
      beyond: async () => expect(await client.say('PASS x')).toEqual(['421']),
    };
  },
};

const lineCase: LimitCase = {
  limit: LINE_LIMIT,
  open: (onLimit) => {
    const { dial, address } = signedIn(onLimit);
    const client = dial();
    const lineOf = (bytes: number): string => `MKD ${'x'.repeat(bytes - 4)}`;
    return {
      upTo: async () => {
        await client.signIn(address);
        expect(await client.say(lineOf(LINE_LIMIT.max - 1))).toEqual(['257']);
      },
      beyond: async () => expect(await client.say(lineOf(LINE_LIMIT.max + 1), 'NOOP')).toEqual(['500', '200']),
    };
  },
};

const waitingCase: LimitCase = {
  limit: WAITING_COMMANDS_LIMIT,
  open: (onLimit) => {
    const client = openServer(onLimit).dial();
    const commands = Array.from({ length: WAITING_COMMANDS_LIMIT.max }, () => 'NOOP');
    return {
      upTo: async () => expect(await client.say(...commands)).toHaveLength(WAITING_COMMANDS_LIMIT.max),
      beyond: async () => expect(await client.say(...commands, 'NOOP')).toEqual(['421']),
    };
  },
};

const commandsCase: LimitCase = {
  limit: COMMANDS_LIMIT,
  open: (onLimit) => {
    const { dial, timers } = openServer(onLimit);
    const client = dial();
    return {
      upTo: async () => {
        for (let at = 0; at < COMMANDS_LIMIT.max; at++) expect(await client.say('NOOP')).toEqual(['200']);
      },
      beyond: async () => {
        expect(await client.say('NOOP')).toEqual([]);
        timers.advance(50);
        await settled();
        expect(client.codes).toEqual(['200']);
      },
    };
  },
};

const unsentCase: LimitCase = {
  limit: UNSENT_REPLIES_LIMIT,
  open: (onLimit) => {
    const client = openServer(onLimit).dial();
    const sayWith = async (unsentBytes: number): Promise<boolean> => {
      client.socket.writableLength = unsentBytes;
      await client.say('NOOP');
      return client.socket.destroyed;
    };
    return {
      upTo: async () => expect(await sayWith(UNSENT_REPLIES_LIMIT.max)).toBe(false),
      beyond: async () => expect(await sayWith(UNSENT_REPLIES_LIMIT.max + 1)).toBe(true),
    };
  },
};

const idleCase: LimitCase = {
  limit: IDLE_LIMIT,
  open: (onLimit) => {
    const { timers, dial, address } = signedIn(onLimit);
    const client = dial();
    return {
      upTo: async () => {
        await client.signIn(address);
        timers.advance(IDLE_LIMIT.max - 1);
        expect(await client.say('NOOP')).toEqual(['200']);
        timers.advance(IDLE_LIMIT.max - 1);
        expect(client.codes).toEqual(['200']);
      },
      beyond: () => {
        timers.advance(1);
        expect(client.codes).toEqual(['200', '421']);
      },
    };
  },
};

export const ftpSessionCases: readonly LimitCase[] = [
  loginsCase,
  loginConnectionsCase,
  signInCase,
  passwordsCase,
  lineCase,
  waitingCase,
  commandsCase,
  unsentCase,
  idleCase,
];

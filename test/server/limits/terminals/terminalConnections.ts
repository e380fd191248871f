// How the limits of connections of terminals are reached, on the port of signalling and on those of media.
import type { Socket } from 'node:net';
import { expect } from 'vitest';
import {
  ConnectionCaps,
  type ConnectionLimits,
  MEDIA_LIMITS,
  SIGNALLING_LIMITS,
} from '../../../../server/device/connectionCaps.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import type { LimitCase } from '../describeLimits.ts';
import { addressOf, times } from '../manyOf.ts';

interface Dialled {
  readonly isAdmitted: boolean;
  destroyed: boolean;
}

/** A port; each connection speaks or is silent, and has proven what it is or has not. */
function openPort(limits: ConnectionLimits, onLimit: OnLimit) {
  const caps = new ConnectionCaps({ limits, onLimit });
  return (remoteAddress: string, state: 'silent' | 'speaks' | 'proven'): Dialled => {
    const socket = {
      remoteAddress,
      destroyed: false,
      destroy: () => {
        socket.destroyed = true;
      },
    };
    const asSocket = socket as unknown as Socket;
    const isAdmitted = caps.admit(asSocket);
    if (state !== 'silent') caps.spoke(asSocket);
    if (state === 'proven') caps.proved(asSocket);
    return Object.assign(socket, { isAdmitted });
  };
}

const refusedOrCut = (dialled: readonly Dialled[]): readonly number[] =>
  dialled.flatMap(({ isAdmitted, destroyed }, index) => (isAdmitted && !destroyed ? [] : [index]));

/** All but the first have proven what they are: it makes room for one, and for the next there is none. */
function openCase(limits: ConnectionLimits, limit: LimitCase['limit'], from: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const dial = openPort(limits, onLimit);
      const dialled: Dialled[] = [];
      return {
        upTo: () => {
          times(limit.max, (index) => dialled.push(dial(from(index), index === 0 ? 'speaks' : 'proven')));
          expect(refusedOrCut(dialled)).toEqual([]);
        },
        beyond: () => {
          dialled.push(dial(from(limit.max), 'proven'));
          expect(refusedOrCut(dialled)).toEqual([0]);
          expect(dial(from(limit.max + 1), 'proven').isAdmitted).toBe(false);
          expect(refusedOrCut(dialled)).toEqual([0]);
        },
        calls: 2,
      };
    },
  };
}

function silentCase(limits: ConnectionLimits, limit: LimitCase['limit'], from: (index: number) => string): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const dial = openPort(limits, onLimit);
      const dialled: Dialled[] = [];
      return {
        upTo: () => {
          dial(from(0), 'speaks');
          times(limit.max, (index) => dialled.push(dial(from(index), 'silent')));
          expect(refusedOrCut(dialled)).toEqual([]);
        },
        beyond: () => {
          dialled.push(dial(from(limit.max), 'silent'));
          expect(refusedOrCut(dialled)).toEqual([0]);
        },
      };
    },
  };
}

/** One address has as many that have not proven what they are as it may, and another one has two. */
function unprovenCase(limits: ConnectionLimits, limit: LimitCase['limit']): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const dial = openPort(limits, onLimit);
      const dialled: Dialled[] = [];
      return {
        upTo: () => {
          for (let at = 0; at < 2; at++) dialled.push(dial('192.0.2.9', 'speaks'));
          times(limit.max, () => dialled.push(dial('192.0.2.1', 'speaks')));
          expect(refusedOrCut(dialled)).toEqual([]);
        },
        beyond: () => {
          times(3, () => dialled.push(dial('192.0.2.1', 'speaks')));
          expect(refusedOrCut(dialled)).toEqual([2, 3, 4]);
          // Where there is no room at all, the address that has the most gives way as well.
          times(limits.open.max - limit.max - 2, (at) => dial(addressOf(at + 9), 'proven'));
          expect(refusedOrCut(dialled)).toEqual([2, 3, 4]);
          dial(addressOf(0), 'speaks');
          expect(refusedOrCut(dialled)).toEqual([2, 3, 4, 5]);
        },
        calls: 3,
      };
    },
  };
}

const ofOneAddress = (): string => '192.0.2.1';

/** The cases of a port. */
export const connectionCasesOf = (limits: ConnectionLimits): LimitCase[] => [
  openCase(limits, limits.open, addressOf),
  openCase(limits, limits.openByAddress, ofOneAddress),
  silentCase(limits, limits.silent, addressOf),
  silentCase(limits, limits.silentByAddress, ofOneAddress),
  ...(limits.unprovenByAddress === undefined ? [] : [unprovenCase(limits, limits.unprovenByAddress)]),
];

export const terminalConnectionCases: readonly LimitCase[] = [
  ...connectionCasesOf(SIGNALLING_LIMITS),
  ...connectionCasesOf(MEDIA_LIMITS),
];

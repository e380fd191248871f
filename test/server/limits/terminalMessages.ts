// How the limits of what terminals say, and of what is said to them, are reached.
import { expect } from 'vitest';
import { GeneralResult, MessageId } from '../../../server/device/jt808/codec/codes.ts';
import { encodeFrame } from '../../../server/device/jt808/codec/frame.ts';
import { encodeHeader, terminalNumber } from '../../../server/device/jt808/codec/header.ts';
import { costOf } from '../../../server/device/jt808/codec/partSet.ts';
import {
  Inbox,
  type InboxItem,
  TERMINAL_PACKAGES,
  UNAUTHENTICATED_PACKAGES,
} from '../../../server/device/jt808/inbox.ts';
import { ALL_WAITING_BYTES_LIMIT, InputQueue, WAITING_BYTES_LIMIT } from '../../../server/device/jt808/inputQueue.ts';
import { Outbox, UNSENT_BYTES_LIMIT } from '../../../server/device/jt808/outbox.ts';
import { REMEMBERED_REPLIES_LIMIT, RecentReplies } from '../../../server/device/jt808/recentReplies.ts';
import { MESSAGES_LIMIT, UNAUTHENTICATED_MESSAGES_LIMIT } from '../../../server/device/jt808/signallingSession.ts';
import { ORDERS_LIMIT, TerminalOrders } from '../../../server/device/jt808/terminalOrders.ts';
import type { OnLimit } from '../../../server/limits/limit.ts';
import { noFaults } from '../../support/noFaults.ts';
import { AUTHENTICATION, FakeSocket, settled } from '../../unit/server/device/jt808/fakeTerminal.ts';
import type { LimitCase } from './describeLimits.ts';
import { times } from './manyOf.ts';
import { connectTerminal, failNever } from './terminalScene.ts';

const noTimer = () => () => undefined;

/** A queue with as much waiting as one connection may have, behind a chunk that is in hand until it is let go. */
function openQueue(onLimit: OnLimit, heldByOthers: number) {
  const socket = new FakeSocket();
  let handledBytes = 0;
  let letGo: () => void = () => undefined;
  const inHand = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  new InputQueue<number>(socket.asSocket(), {
    waiting: { held: heldByOthers },
    decode: (bytes) => [bytes.length],
    handle: async (bytes) => {
      await inHand;
      handledBytes += bytes;
    },
    ...{ onLimit, onFault: failNever },
  });
  /** With what keeping a chunk costs. */
  const hold = (cost: number): boolean => socket.emit('data', new Uint8Array(cost - 128));
  const fill = (): void => {
    socket.emit('data', new Uint8Array(1));
    times(16, () => hold(WAITING_BYTES_LIMIT.max / 16));
  };
  return { socket, hold, fill, letGo, handledBytes: () => handledBytes };
}

const waitingCases: readonly LimitCase[] = [
  {
    limit: WAITING_BYTES_LIMIT,
    open: (onLimit) => {
      const { socket, hold, fill, letGo, handledBytes } = openQueue(onLimit, 0);
      return {
        upTo: () => {
          fill();
          expect(socket.isPaused).toBe(false);
        },
        beyond: async () => {
          hold(129);
          expect([socket.isPaused, socket.destroyed]).toEqual([true, false]);
          letGo();
          await settled();
          expect(socket.isPaused).toBe(false);
          expect(handledBytes()).toBe(1 + WAITING_BYTES_LIMIT.max - 16 * 128 + 1);
        },
      };
    },
  },
  {
    limit: ALL_WAITING_BYTES_LIMIT,
    open: (onLimit) => {
      const { socket, hold, fill } = openQueue(onLimit, ALL_WAITING_BYTES_LIMIT.max - WAITING_BYTES_LIMIT.max);
      return {
        upTo: () => {
          fill();
          expect(socket.destroyed).toBe(false);
        },
        beyond: () => {
          hold(129);
          expect(socket.destroyed).toBe(true);
        },
      };
    },
  },
];

/** Messages that are answered at once; the next is answered when the pace lets it, a tenth of a second later. */
function paceCase(limit: LimitCase['limit'], isSignedIn: boolean): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const { terminal, timers } = connectTerminal(onLimit);
      if (isSignedIn) await terminal.say(AUTHENTICATION);
      terminal.heard();
      return {
        upTo: async () => {
          for (let count = 0; count < limit.max; count++) await terminal.say({ kind: 'heartbeat' });
          expect(terminal.heard()).toHaveLength(limit.max);
        },
        beyond: async () => {
          await terminal.say({ kind: 'heartbeat' });
          expect(terminal.heard()).toEqual([]);
          timers.advance(100);
          await settled();
          expect(terminal.heard()).toHaveLength(1);
        },
      };
    },
  };
}

interface Package {
  readonly total: number;
  readonly number: number;
  readonly bytes: number;
}

/** Takes packages of registrations; each comes a millisecond after the one before. */
function openInbox(onLimit: OnLimit, isTrusted: boolean) {
  let nowMs = 0;
  const inbox = new Inbox({ now: () => nowMs, after: noTimer, onMissing: () => undefined, onLimit });
  if (isTrusted) inbox.trust();
  return ({ total, number, bytes }: Package): InboxItem | undefined => {
    nowMs++;
    const terminal = terminalNumber('138', '2019');
    const fields = { edition: '2019', protocolVersion: 1, terminal, serial: number } as const;
    const form = { messageId: MessageId.registration, bodyLength: bytes, part: { total, number } };
    const frame = Uint8Array.from([...encodeHeader(fields, form), ...new Uint8Array(bytes)]);
    return inbox.push(encodeFrame(frame))[0];
  };
}

const PACKAGE_BYTES = 1_000;

function packageCases(isTrusted: boolean): LimitCase[] {
  const { sets, bytes } = isTrusted ? TERMINAL_PACKAGES : UNAUTHENTICATED_PACKAGES;
  const setsCase: LimitCase = {
    limit: sets,
    open: (onLimit) => {
      const take = openInbox(onLimit, isTrusted);
      /** Messages are told apart by how many packages they have. */
      const begin = (message: number) => take({ total: message + 2, number: 1, bytes: 1 });
      return {
        upTo: () => times(sets.max, (message) => expect(begin(message)).toMatchObject({ result: GeneralResult.Ok })),
        beyond: () => {
          begin(sets.max);
          const total = sets.max + 2;
          const rest = Array.from({ length: total - 1 }, (_, at) => take({ total, number: at + 2, bytes: 1 }));
          expect(rest.at(-1)?.kind, 'the newest is whole').not.toBe('package');
          expect(take({ total: 2, number: 2, bytes: 1 })?.kind, 'the oldest was dropped').toBe('package');
        },
      };
    },
  };
  const bytesCase: LimitCase = {
    limit: bytes,
    open: (onLimit) => {
      const take = openInbox(onLimit, isTrusted);
      const fitting = Math.floor(bytes.max / costOf(new Uint8Array(PACKAGE_BYTES)));
      const takeNext = (number: number) => take({ total: 65_535, number, bytes: PACKAGE_BYTES });
      return {
        upTo: () => times(fitting, (at) => expect(takeNext(at + 1)).toMatchObject({ result: GeneralResult.Ok })),
        beyond: () => {
          expect(takeNext(fitting + 1)).toMatchObject({ result: GeneralResult.Failed });
          // What was held of it is gone: there is room for another message.
          expect(take({ total: 3, number: 1, bytes: PACKAGE_BYTES })).toMatchObject({ result: GeneralResult.Ok });
        },
      };
    },
  };
  return [setsCase, bytesCase];
}

const repliesCase: LimitCase = {
  limit: REMEMBERED_REPLIES_LIMIT,
  open: (onLimit) => {
    const { max } = REMEMBERED_REPLIES_LIMIT;
    const replies = new RecentReplies(() => 0, onLimit);
    const remember = (frame: number): void => replies.remember(`${frame}`, { kind: 'heartbeat' });
    const isKnown = (frame: number): boolean => replies.find(`${frame}`) !== undefined;
    return {
      upTo: () => {
        times(max, remember);
        times(max, (frame) => expect(isKnown(frame)).toBe(true));
      },
      beyond: () => {
        remember(max);
        expect([isKnown(0), isKnown(1), isKnown(max)]).toEqual([false, true, true]);
      },
    };
  },
};

const unsentCase: LimitCase = {
  limit: UNSENT_BYTES_LIMIT,
  open: (onLimit) => {
    const socket = new FakeSocket();
    const outbox = new Outbox(socket.asSocket(), onLimit);
    const terminal = terminalNumber('138', '2019');
    const header = { messageId: 2, edition: '2019', protocolVersion: 1, encryption: 0, terminal } as const;
    outbox.answerAs({ ...header, serial: 0, bodyLength: 0 });
    const sendWith = (unsentBytes: number): void => {
      socket.writableLength = unsentBytes;
      outbox.send({ kind: 'heartbeat' });
    };
    return {
      upTo: () => {
        sendWith(UNSENT_BYTES_LIMIT.max);
        expect(socket.destroyed).toBe(false);
      },
      beyond: () => {
        sendWith(UNSENT_BYTES_LIMIT.max + 1);
        expect(socket.destroyed).toBe(true);
      },
    };
  },
};

const ordersCase: LimitCase = {
  limit: ORDERS_LIMIT,
  open: (onLimit) => {
    const { max } = ORDERS_LIMIT;
    let sent = 0;
    const outbox = { send: () => ({ first: sent, last: sent++ }) } as unknown as Outbox;
    const orders = new TerminalOrders({ outbox, after: noTimer, onLimit, onFault: noFaults }).forSession({
      channelsFromZero: false,
    });
    const zoom = () => orders.ptz(1, { kind: 'zoom', increase: true });
    return {
      upTo: () => {
        times(max, () => void zoom());
        expect(sent).toBe(max);
      },
      beyond: async () => {
        expect(await zoom()).toEqual({ ok: false, why: 'timeout' });
        expect(sent).toBe(max);
      },
    };
  },
};

export const terminalMessageCases: readonly LimitCase[] = [
  ...waitingCases,
  paceCase(UNAUTHENTICATED_MESSAGES_LIMIT, false),
  paceCase(MESSAGES_LIMIT, true),
  ...packageCases(false),
  ...packageCases(true),
  ...[repliesCase, unsentCase, ordersCase],
];

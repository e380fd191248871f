// How the limits of what terminals say, and of what is said to them, are reached.
import { expect } from 'vitest';
import { GeneralResult, MessageId } from '../../../../server/device/jt808/codec/codes.ts';
import { encodeFrame } from '../../../../server/device/jt808/codec/frame.ts';
import { encodeHeader, terminalNumber } from '../../../../server/device/jt808/codec/header.ts';
import { costOf } from '../../../../server/device/jt808/codec/partSet.ts';
import {
  Inbox,
  type InboxItem,
  PackageBytes,
  TERMINAL_PACKAGES,
  UNAUTHENTICATED_PACKAGES,
} from '../../../../server/device/jt808/inbox.ts';
import {
  InputQueue,
  UNAUTHENTICATED_WAITING_BYTES_LIMIT,
  WAITING_BYTES_LIMIT,
} from '../../../../server/device/jt808/inputQueue.ts';
import { ptzOrder } from '../../../../server/device/jt808/orders.ts';
import { Outbox, UNSENT_BYTES_LIMIT } from '../../../../server/device/jt808/outbox.ts';
import { PACKAGE_REPEATS_LIMIT, PackageSender } from '../../../../server/device/jt808/packages/packageSender.ts';
import { REMEMBERED_REPLIES_LIMIT, RecentReplies } from '../../../../server/device/jt808/recentReplies.ts';
import { MESSAGES_LIMIT, UNAUTHENTICATED_MESSAGES_LIMIT } from '../../../../server/device/jt808/signallingSession.ts';
import { ORDERS_LIMIT, TerminalOrders } from '../../../../server/device/jt808/terminalOrders.ts';
import {
  ADDRESS_BYTES_LIMIT,
  ALL_WAITING_BYTES_LIMIT,
  UNAUTHENTICATED_BYTES_LIMIT,
  WaitingBytes,
} from '../../../../server/device/jt808/waitingBytes.ts';
import { ALL_ORDERS_LIMIT, DEVICE_ORDERS_LIMIT } from '../../../../server/device/orders/deviceOrders.ts';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { AUTHENTICATION, FakeSocket, settled } from '../../../unit/server/device/jt808/fakeTerminal.ts';
import { createOrderScene, order } from '../../../unit/server/device/orders/orderScene.ts';
import type { LimitCase } from '../describeLimits.ts';
import { times } from '../manyOf.ts';
import { connectTerminal, failNever } from './terminalScene.ts';

const noTimer = () => () => undefined;

/** What keeping a chunk costs beside its bytes. */
const CHUNK_OVERHEAD_BYTES = 128;

/** Chunks wait behind one that is being handled until it is let go. */
function waitingCase(limit: LimitCase['limit'], hasSignedIn: boolean): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const socket = new FakeSocket();
      let handledBytes = 0;
      let letGo: () => void = () => undefined;
      const inHand = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      const queue = new InputQueue<number>(socket.asSocket(), {
        waiting: new WaitingBytes(onLimit),
        address: '10.0.0.1',
        decode: (bytes) => [bytes.length],
        handle: async (bytes) => {
          await inHand;
          handledBytes += bytes;
        },
        onLimit,
        onFault: failNever,
      });
      if (hasSignedIn) queue.trust();
      const take = (bytes: number): boolean => socket.emit('data', new Uint8Array(bytes));
      return {
        upTo: () => {
          take(1);
          times(8, () => take(limit.max / 8 - CHUNK_OVERHEAD_BYTES));
          expect(socket.isPaused).toBe(false);
        },
        beyond: async () => {
          take(1);
          expect([socket.isPaused, socket.destroyed]).toEqual([true, false]);
          letGo();
          await settled();
          expect(socket.isPaused).toBe(false);
          expect(handledBytes).toBe(1 + limit.max - 8 * CHUNK_OVERHEAD_BYTES + 1);
        },
      };
    },
  };
}

const HELD_BYTES = 64 * 1024;

interface Holders {
  readonly hasSignedIn: boolean;
  readonly addresses: number;
  /** Index of the connection that holds twice as much as each of the others. */
  readonly greedy?: number;
  /** Index of the connection that has to go. */
  readonly cut: number;
}

/** Connections that each have the same amount waiting, from this many addresses in turn. */
function poolCase(limit: LimitCase['limit'], { hasSignedIn, addresses, greedy, cut }: Holders): LimitCase {
  return {
    limit,
    open: (onLimit) => {
      const waiting = new WaitingBytes(onLimit);
      const gone: number[] = [];
      const hold = (index: number): void => {
        const heldBytes = index === greedy ? 2 * HELD_BYTES : HELD_BYTES;
        const holder = {
          address: `10.0.0.${index % addresses}`,
          hasSignedIn,
          heldBytes,
          cut: () => {
            gone.push(index);
            holder.heldBytes = 0;
            waiting.changed(holder, -heldBytes);
          },
        };
        waiting.changed(holder, heldBytes);
      };
      const fitting = limit.max / HELD_BYTES - (greedy === undefined ? 0 : 1);
      return {
        upTo: () => {
          times(fitting, hold);
          expect([waiting.held, gone]).toEqual([limit.max, []]);
        },
        beyond: () => {
          hold(fitting);
          expect(gone).toEqual([cut]);
          expect(waiting.held).toBeLessThanOrEqual(limit.max);
        },
      };
    },
  };
}

const waitingCases: readonly LimitCase[] = [
  waitingCase(UNAUTHENTICATED_WAITING_BYTES_LIMIT, false),
  waitingCase(WAITING_BYTES_LIMIT, true),
  poolCase(ADDRESS_BYTES_LIMIT, { hasSignedIn: false, addresses: 1, cut: 0 }),
  // The first connection goes, which is of an address that has two connections by then.
  poolCase(UNAUTHENTICATED_BYTES_LIMIT, { hasSignedIn: false, addresses: 200, cut: 0 }),
  poolCase(ALL_WAITING_BYTES_LIMIT, { hasSignedIn: true, addresses: 200, greedy: 7, cut: 7 }),
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
function openInbox(onLimit: OnLimit, isTrusted: boolean, packageBytes = new PackageBytes()) {
  let nowMs = 0;
  const inbox = new Inbox({ now: () => nowMs, runAfter: noTimer, onMissing: () => undefined, packageBytes, onLimit });
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
  const { sets, bytes, all } = isTrusted ? TERMINAL_PACKAGES : UNAUTHENTICATED_PACKAGES;
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
          // The packages that were held of it are gone, so there is room for another message.
          expect(take({ total: 3, number: 1, bytes: PACKAGE_BYTES })).toMatchObject({ result: GeneralResult.Ok });
        },
      };
    },
  };
  const allCase: LimitCase = {
    limit: all,
    open: (onLimit) => {
      const packageBytes = new PackageBytes();
      const fitting = Math.floor(bytes.max / costOf(new Uint8Array(PACKAGE_BYTES)));
      // This is all that others may hold, except for what one connection may.
      const kind = isTrusted ? 'signedIn' : 'unauthenticated';
      packageBytes[kind] = all.max - fitting * costOf(new Uint8Array(PACKAGE_BYTES));
      const takeFrom = (taker: ReturnType<typeof openInbox>, number: number) =>
        taker({ total: 65_535, number, bytes: PACKAGE_BYTES });
      const one = openInbox(onLimit, isTrusted, packageBytes);
      return {
        upTo: () => {
          times(fitting, (at) => expect(takeFrom(one, at + 1)).toMatchObject({ result: GeneralResult.Ok }));
          expect(packageBytes[kind]).toBe(all.max);
        },
        beyond: () => {
          const next = openInbox(onLimit, isTrusted, packageBytes);
          expect(takeFrom(next, 1)).toMatchObject({ result: GeneralResult.Failed });
          expect(packageBytes[kind]).toBe(all.max);
          const other = openInbox(onLimit, !isTrusted, packageBytes);
          expect(takeFrom(other, 1)).toMatchObject({ result: GeneralResult.Ok });
        },
      };
    },
  };
  return [setsCase, bytesCase, allCase];
}

const repliesCase: LimitCase = {
  limit: REMEMBERED_REPLIES_LIMIT,
  open: (onLimit) => {
    const { max } = REMEMBERED_REPLIES_LIMIT;
    const replies = new RecentReplies(() => 0, onLimit);
    const remember = (frame: number): void => replies.remember(frame, { kind: 'heartbeat' });
    const isKnown = (frame: number): boolean => replies.find(frame) !== undefined;
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
    const orders = new TerminalOrders({ outbox, runAfter: noTimer, onLimit, onFault: noFaults });
    const zoom = () => orders.command(ptzOrder(1, { kind: 'zoom', increase: true }));
    return {
      upTo: () => {
        times(max, () => void zoom());
        expect(sent).toBe(max);
      },
      beyond: async () => {
        expect(await zoom()).toEqual({ ok: false, reason: 'timeout', isUnsent: true });
        expect(sent).toBe(max);
      },
    };
  },
};

/** A terminal that acknowledges a package, and wants it again. */
const repeatsCase: LimitCase = {
  limit: PACKAGE_REPEATS_LIMIT,
  open: async (onLimit) => {
    let sent = 0;
    const sender = new PackageSender(
      {
        messageId: MessageId.upgradePackage,
        source: { bytes: 10, read: async () => 10 },
        window: 1,
        signal: new AbortController().signal,
      },
      { total: 1, firstSerial: 0 },
      {
        outbox: { sendPackage: () => ++sent, onDrained: () => undefined },
        runAfter: noTimer,
        onLimit,
        onFault: failNever,
      },
    );
    await settled();
    const askAgain = async (): Promise<void> => {
      sender.answer(0, MessageId.upgradePackage, GeneralResult.Ok);
      sender.resend({ firstSerial: 0, numbers: [1] });
      await Promise.resolve();
      await Promise.resolve();
    };
    const { max } = PACKAGE_REPEATS_LIMIT;
    return {
      upTo: async () => {
        for (let times = 0; times < max; times++) await askAgain();
        await settled();
        expect(sent).toBe(1 + max);
      },
      beyond: async () => {
        await askAgain();
        expect(await sender.result).toEqual({ ok: false, reason: 'too-many-repeats' });
        expect(sent).toBe(1 + max);
      },
    };
  },
};

/** Orders for this many terminals that are away, the same number for each. The next one is for the terminal `next`. */
function waitingOrdersCase(limit: LimitCase['limit'], terminals: number, next: number): LimitCase {
  return {
    limit,
    open: async (onLimit) => {
      const { orders, store } = await createOrderScene(onLimit);
      times(terminals + 1, (at) => store.devices.set(at, `BUS${at}`));
      const request = (at: number) => {
        return orders.request(order('a', { device: { deviceId: `BUS${at}`, incarnation: at } }));
      };
      return {
        upTo: async () => {
          let kept = 0;
          for (let count = 0; count < limit.max; count++) if ((await request(count % terminals)).ok) kept++;
          expect(kept).toBe(limit.max);
        },
        beyond: async () => {
          expect(await request(next)).toEqual({ ok: false, reason: 'too-many' });
          expect(store.rows).toHaveLength(limit.max);
          orders.forget('BUS0');
          await settled();
          expect((await request(next)).ok).toBe(true);
        },
      };
    },
  };
}

export const terminalMessageCases: readonly LimitCase[] = [
  ...waitingCases,
  paceCase(UNAUTHENTICATED_MESSAGES_LIMIT, false),
  paceCase(MESSAGES_LIMIT, true),
  ...packageCases(false),
  ...packageCases(true),
  repliesCase,
  unsentCase,
  ordersCase,
  repeatsCase,
  waitingOrdersCase(DEVICE_ORDERS_LIMIT, 1, 0),
  waitingOrdersCase(ALL_ORDERS_LIMIT, 200, 200),
];

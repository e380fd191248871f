import { beforeEach, describe, expect, it } from 'vitest';
import { MessageId } from '../../../../../server/device/jt808/codec/codes.ts';
import { encodeFrame } from '../../../../../server/device/jt808/codec/frame.ts';
import { encodeHeader, terminalNumber } from '../../../../../server/device/jt808/codec/header.ts';
import { costOf } from '../../../../../server/device/jt808/codec/partSet.ts';
import { Inbox, PackageBytes } from '../../../../../server/device/jt808/inbox.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const BYTES = 1_000;
const COST = costOf(new Uint8Array(BYTES));

describe('what all connections hold in packages', () => {
  let timers: ManualTimers;
  let packageBytes: PackageBytes;
  let inbox: Inbox;
  beforeEach(() => {
    timers = new ManualTimers();
    packageBytes = new PackageBytes();
    inbox = new Inbox({
      now: timers.now,
      runAfter: timers.runAfter,
      packageBytes,
      onMissing: () => undefined,
      onLimit: () => undefined,
    });
  });

  const take = (number: number, total = 3): void => {
    const terminal = terminalNumber('138', '2019');
    const fields = { edition: '2019', protocolVersion: 1, terminal, serial: number } as const;
    const form = { messageId: MessageId.registration, bodyLength: BYTES, part: { total, number } };
    inbox.push(encodeFrame(Uint8Array.from([...encodeHeader(fields, form), ...new Uint8Array(BYTES)])));
  };

  it('is given back when the message is whole', () => {
    inbox.trust();
    for (const number of [1, 2]) take(number);
    expect(packageBytes).toEqual({ unauthenticated: 0, signedIn: 2 * COST });
    take(3);
    expect(packageBytes).toEqual({ unauthenticated: 0, signedIn: 0 });
  });

  it('is given back when the message is given up', () => {
    inbox.trust();
    take(1);
    timers.advance(60_000);
    expect(packageBytes.signedIn).toBe(0);
  });

  it('of a stranger is given back when it signs in, and of a terminal when its connection ends', () => {
    take(1);
    expect(packageBytes).toEqual({ unauthenticated: COST, signedIn: 0 });
    inbox.trust();
    take(1);
    expect(packageBytes).toEqual({ unauthenticated: 0, signedIn: COST });
    inbox.close();
    expect(packageBytes).toEqual({ unauthenticated: 0, signedIn: 0 });
  });
});

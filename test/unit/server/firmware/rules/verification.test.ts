import { describe, expect, it } from 'vitest';
import {
  ASK_AGAIN_MS,
  BACK_WITHIN_MS,
  isAskedAgain,
  type Sign,
  VERSION_WITHIN_MS,
  type Verified,
  verdictOf,
} from '../../../../../server/firmware/rules/verification.ts';

const image = { part: 'terminal', firmwareVersion: '2.0', models: ['M*'] } as const;
const sent: Verified = { state: 'sent', deadlineMs: VERSION_WITHIN_MS, versionBefore: '1.0', model: 'M1' };
const verifying: Verified = { ...sent, state: 'verifying' };
const attributes = (firmwareVersion: string, model = 'M1'): Sign => ({ kind: 'attributes', model, firmwareVersion });

describe('what became of an image', () => {
  it('is known once the terminal is back with its version', () => {
    expect(verdictOf(sent, image, attributes('2.0'), 0)).toEqual({ kind: 'stay' });
    expect(verdictOf(verifying, image, attributes('V2.0'), 0)).toEqual({ kind: 'done' });
    expect(verdictOf(verifying, image, attributes('1.0'), 0)).toEqual({ kind: 'stay' });
    expect(verdictOf(verifying, image, attributes('0.9'), 0)).toEqual({ kind: 'failed', fault: 'older-version' });
    const other = attributes('2.0', 'N1');
    expect(verdictOf(verifying, image, other, 0)).toEqual({ kind: 'failed', fault: 'model-mismatch' });
  });

  it('success that the terminal reports does not count without the version', () => {
    expect(verdictOf(verifying, image, { kind: 'result', result: 0 }, 0)).toEqual({ kind: 'reported' });
    const overdue = { kind: 'time', isOnline: true } as const;
    const failed = { kind: 'failed', fault: 'same-version' };
    expect(verdictOf(verifying, image, overdue, VERSION_WITHIN_MS)).toEqual(failed);
    expect(verdictOf(verifying, image, overdue, VERSION_WITHIN_MS - 1)).toEqual({ kind: 'stay' });
  });

  it.each([
    [1, 'terminal-failed'],
    [2, 'terminal-canceled'],
    [200, 'terminal-failed'],
  ])('a result of %i is a failure', (result, fault) => {
    expect(verdictOf(sent, image, { kind: 'result', result }, 0)).toEqual({ kind: 'failed', fault });
  });

  it('of a card reader is what its terminal reports', () => {
    const reader = { ...image, part: 'card-reader' } as const;
    expect(verdictOf(sent, reader, { kind: 'result', result: 0 }, 0)).toEqual({ kind: 'done' });
    const overdue = { kind: 'time', isOnline: true } as const;
    expect(verdictOf(verifying, reader, overdue, VERSION_WITHIN_MS)).toEqual({ kind: 'failed', fault: 'no-answer' });
  });

  it('a terminal that is back is asked once more each minute, about itself alone', () => {
    expect(isAskedAgain(verifying, image, 5, 5 + ASK_AGAIN_MS)).toBe(true);
    expect(isAskedAgain(verifying, image, 5, 4 + ASK_AGAIN_MS)).toBe(false);
    expect(isAskedAgain(sent, image, 5, 5 + ASK_AGAIN_MS)).toBe(false);
    expect(isAskedAgain(verifying, { part: 'gnss' }, 5, 5 + ASK_AGAIN_MS)).toBe(false);
  });

  it('a terminal has an hour to sign in again, from when it had all', () => {
    const away = { kind: 'move', state: 'rebooting', deadlineMs: BACK_WITHIN_MS };
    expect(verdictOf(sent, image, { kind: 'offline' }, 5)).toEqual(away);
    const rebooting = { ...sent, state: 'rebooting', deadlineMs: BACK_WITHIN_MS } as const;
    const time = { kind: 'time', isOnline: false } as const;
    expect(verdictOf(rebooting, image, time, BACK_WITHIN_MS)).toEqual({ kind: 'failed', fault: 'not-back' });
    const back = { kind: 'move', state: 'verifying', deadlineMs: 7 + VERSION_WITHIN_MS };
    expect(verdictOf(rebooting, image, { kind: 'online' }, 7)).toEqual(back);
  });

  it('one that restarts forever does not get more time each time', () => {
    expect(verdictOf(verifying, image, { kind: 'offline' }, 1)).toEqual({ kind: 'stay' });
    expect(verdictOf(verifying, image, { kind: 'online' }, 2)).toEqual({ kind: 'stay' });
    const time = { kind: 'time', isOnline: false } as const;
    expect(verdictOf(verifying, image, time, VERSION_WITHIN_MS)).toEqual({ kind: 'failed', fault: 'not-back' });
  });
});

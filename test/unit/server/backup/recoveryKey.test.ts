import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecoveryKey, writeRecoveryKey } from '../../../../server/backup/archive/recoveryKey.ts';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('the recovery key', () => {
  it('is read as people type it', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const written = writeRecoveryKey(bytes);
        expect(written).toMatch(/^([A-Z2-7]{4}-){13}[A-Z2-7]{4}$/);
        expect(readRecoveryKey(written)).toEqual(Buffer.from(bytes));
        expect(readRecoveryKey(` ${written.toLowerCase().replaceAll('-', ' ')}\n`)).toEqual(Buffer.from(bytes));
        expect(readRecoveryKey(written.replaceAll('O', '0').replaceAll('I', '1'))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('is refused with one letter that is another', () => {
    const written = writeRecoveryKey(Buffer.alloc(32, 9));
    for (const [at, letter] of [...written].entries()) {
      if (letter === '-') continue;
      const other = letter === 'A' ? 'B' : 'A';
      expect(readRecoveryKey(written.slice(0, at) + other + written.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(['', 'AAAA', '8'.repeat(56), `${writeRecoveryKey(Buffer.alloc(32))}A`])('is none: %j', (text) => {
    expect(readRecoveryKey(text)).toBeUndefined();
  });
});

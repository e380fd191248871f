import { expect, it } from 'vitest';
import { createLog, withRing } from '../../../../server/process/log.ts';
import { LogRing, type LogRingBounds } from '../../../../server/process/logRing.ts';

const ROOMY: LogRingBounds = { lines: 5, bytes: 1_000, lineLength: 100 };

function ringOf(bounds: Partial<LogRingBounds>, lines: readonly string[]): LogRing {
  const ring = new LogRing({ ...ROOMY, ...bounds });
  for (const line of lines) ring.write(line);
  return ring;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`);

it.each([0, 1, 4, 5, 6, 9, 10, 11, 23])('keeps the newest of %i lines, oldest first', (count) => {
  expect(ringOf({}, numbers(1, count)).read()).toEqual(numbers(Math.max(1, count - 4), count));
});

it('keeps fewer lines where they are long, counted in bytes', () => {
  expect(ringOf({ bytes: 10 }, ['aaaa', 'bbbb', 'cc']).read()).toEqual(['aaaa', 'bbbb', 'cc']);
  expect(ringOf({ bytes: 10 }, ['aaaa', 'bbbb', 'ccc']).read()).toEqual(['bbbb', 'ccc']);
  expect(ringOf({ bytes: 10 }, ['aaaa', 'bbbb', '車車車']).read()).toEqual(['車車車']);
});

it('has room again for short lines after long ones have gone', () => {
  const ring = ringOf({ bytes: 10 }, ['aaaaaaaaaa', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(ring.read()).toEqual(['c', 'd', 'e', 'f', 'g']);
});

it('cuts a long line, and keeps the others', () => {
  expect(ringOf({ lineLength: 4 }, ['one', 'eleven\n', 'two\n']).read()).toEqual(['one', 'elev', 'two']);
});

it('gives a copy', () => {
  const ring = ringOf({}, ['a']);
  const before = ring.read();
  ring.write('b');
  expect(before).toEqual(['a']);
});

it('has the lines of a log without secrets, also those that its output does not take', () => {
  const ring = new LogRing();
  const taken: string[] = [];
  const log = createLog('info', withRing(ring, { write: (line) => void taken.push(line) }));
  log.info({ password: 'hush', user: { token: 'hush' } }, 'first');
  log.debug('too fine');
  const broken = createLog(
    'info',
    withRing(ring, {
      write: () => {
        throw new Error('no space');
      },
    }),
  );
  expect(() => broken.info('second')).toThrow('no space');
  const messages = ring.read().map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual(['first', 'second']);
  expect(ring.read().join()).not.toContain('hush');
  expect(taken).toEqual([`${ring.read()[0]}\n`]);
});

import { expect, it } from 'vitest';
import { LogOutput } from '../../../../server/faults/logOutput.ts';

/** A descriptor that does as it is told, one step a write: takes so many bytes, or fails. The last step is repeated. */
function outputOf(steps: readonly (number | string)[]) {
  const left = [...steps];
  let text = '';
  let waits = 0;
  const output = new LogOutput({
    writeBytes: (bytes) => {
      const step = left.length > 1 ? left.shift() : left[0];
      if (typeof step === 'string') throw Object.assign(new Error(step), { code: step });
      const taken = bytes.subarray(0, step ?? 0);
      text += String(taken);
      return taken.length;
    },
    sleep: () => {
      waits += 1;
    },
  });
  return { output, written: () => text, waits: () => waits };
}

it('a line is written whole, in as many parts as it takes', () => {
  const { output, written } = outputOf([2, 1, 100]);
  output.write('a line\n');
  expect([written(), output.lostLines]).toEqual(['a line\n', 0]);
});

it.each(['ENOSPC', 'EIO', 'EPIPE', 'EBADF'])(
  'a line that %s refuses is lost and counted; the next one is tried',
  (code) => {
    const { output, written, waits } = outputOf([code, 100]);
    output.write('lost\n');
    output.write('next\n');
    expect([written(), output.lostLines, waits()]).toEqual(['next\n', 1, 0]);
  },
);

it('a line that was torn ends before the next one', () => {
  const { output, written } = outputOf([3, 'ENOSPC', 'ENOSPC', 100]);
  for (const line of ['first\n', 'second\n', 'third\n']) output.write(line);
  expect([written(), output.lostLines]).toEqual(['fir\nthird\n', 2]);
});

it('a reader that is behind is waited for', () => {
  const { output, written, waits } = outputOf(['EAGAIN', 'EAGAIN', 100]);
  output.write('line\n');
  expect([written(), output.lostLines, waits()]).toEqual(['line\n', 0, 2]);
});

it('a reader that stalls is waited for once, until it reads again', () => {
  const { output, waits } = outputOf(['EAGAIN']);
  output.write('first\n');
  const waited = waits();
  expect(waited).toBe(50);
  for (let line = 0; line < 100; line++) output.write('line\n');
  expect([output.lostLines, waits()]).toEqual([101, waited]);
});

import { expect, it } from 'vitest';
import { PaintChoice } from '../../../../../workers/video/paint/paintChoice.ts';

function wayAfter(paintsMs: readonly number[]) {
  const choice = new PaintChoice();
  for (const paintMs of paintsMs) choice.note(paintMs);
  return choice.way;
}

const SECOND = Array.from({ length: 25 });

it('paints whole pictures where painting is quick', () => {
  expect(wayAfter(SECOND.map(() => 0.4))).toBe('whole');
});

it('goes over to strips after a second of slow paintings', () => {
  expect(wayAfter(SECOND.slice(1).map(() => 4))).toBe('whole');
  expect(wayAfter(SECOND.map(() => 4))).toBe('strips');
});

it('minds no single stop of the machine', () => {
  expect(wayAfter([...SECOND, ...SECOND, ...SECOND].map((_, index) => (index % 3 === 0 ? 400 : 0.4)))).toBe('whole');
});

it('keeps to strips, and sees a machine become slow at any time', () => {
  const quick = SECOND.map(() => 0.4);
  const slow = SECOND.map(() => 4);
  expect(wayAfter([...quick, ...slow])).toBe('strips');
  expect(wayAfter([...slow, ...quick, ...quick])).toBe('strips');
});

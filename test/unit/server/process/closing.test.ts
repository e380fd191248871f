import { expect, it } from 'vitest';
import { createClosing } from '../../../../server/process/closing.ts';

it('closes in the reverse order, goes on past a fault, and closes once', async () => {
  const closed: string[] = [];
  const faults: string[] = [];
  const closing = createClosing((name) => faults.push(name));
  closing.add('first', () => void closed.push('first'));
  closing.add('broken', () => Promise.reject(new Error('x')));
  closing.add('last', async () => void closed.push('last'));
  await Promise.all([closing.close(), closing.close()]);
  expect(closed).toEqual(['last', 'first']);
  expect(faults).toEqual(['broken']);
});

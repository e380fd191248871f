import { expect, it } from 'vitest';
import { checkedContent, refusedPart } from '../../../../../../server/http/backup/parts/checkedContent.ts';
import { refusedFields } from '../../../../../../server/http/kernel/envelope.ts';
import { RoleContent } from '../../../../../../shared/protocol/api/accounts.ts';

const ROLE = { name: 'Night', permissions: ['event'], secondFactorRequired: false };

it('contents of a backup are held to the bounds of a call', () => {
  expect(checkedContent(RoleContent, ROLE)).toEqual({ ok: true, content: ROLE });
  const unbounded = [
    { ...ROLE, name: 'x'.repeat(65) },
    { ...ROLE, name: 'two\nlines' },
    { ...ROLE, permissions: ['fly'] },
    { ...ROLE, secondFactorRequired: 1 },
    { ...ROLE, builtIn: 'administrator' },
    { name: 'Night' },
  ];
  for (const content of unbounded) {
    expect(checkedContent(RoleContent, content)).toEqual({ ok: false, code: 'bad-request' });
  }
});

it('texts of a backup that no database can keep are refused', () => {
  for (const name of ['nul \u0000', 'half \ud800']) {
    expect(checkedContent(RoleContent, { ...ROLE, name })).toEqual({ ok: false, code: 'bad-text' });
  }
});

it('a refusal is named by the fault of its first field', () => {
  expect(refusedPart(refusedFields({ name: 'taken' }))).toEqual({ ok: false, code: 'taken' });
  expect(refusedPart({ status: 409, code: 'built-in', message: '' })).toEqual({ ok: false, code: 'built-in' });
});

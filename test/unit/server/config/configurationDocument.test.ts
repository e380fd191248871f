import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { variablesTable } from '../../../../server/config/help.ts';

it('docs/configuration.md has the table of variables as the program has it', () => {
  const document = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');
  expect(document).toContain(variablesTable());
});

import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ImportDialog } from '../../../../pages/innerpage/devicegroup/import/ImportDialog.tsx';
import { IMPORT_PATH, type ImportFault, type ImportPlan } from '../../../../shared/protocol/api/deviceImport.ts';
import { IMPORT_COLUMNS } from '../../../../shared/protocol/api/imports/deviceColumns.ts';
import { layOut } from '../../../support/browser/layOut.ts';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';

const TREE = { memberGroup: null, groups: [], ungrouped: 0 };

async function openDialog() {
  layOut();
  const gateway = planGateway();
  await renderPage(<ImportDialog tree={TREE} group={undefined} onDone={() => {}} onClose={() => {}} />);
  return gateway;
}

test('has a template with the columns that an import reads', async () => {
  const saved: Blob[] = [];
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    saved.push(content as Blob);
    return 'blob:template';
  });
  onTestFinished(() => create.mockRestore());
  await openDialog();
  await userEvent.click(screen.getByText('Download template'));
  // Reading a blob as text leaves its byte order mark out.
  const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(`\ufeff${IMPORT_COLUMNS.join(',')}\r\n`);
});

test.each([
  [{ column: 'name', code: 'too-long', value: 'x' }, 'name: Use at most 64 characters.'],
  [{ column: 'terminal', code: 'too-long', value: '1' }, 'terminal: Use at most 20 digits.'],
  [
    { column: 'terminal', code: 'bad-format', value: 'x y' },
    'terminal: "x y" has the wrong format. Use up to 20 digits, or 12 or 20 hexadecimal digits.',
  ],
  [{ column: 'channels', code: 'out-of-range', value: '99' }, 'channels: Enter a number from 0 to 32.'],
  [
    { column: 'edition', code: 'not-allowed', value: '2015' },
    'edition: "2015" isn\'t allowed here. Use 2011, 2013, 2019, or leave it empty.',
  ],
  [
    { column: 'terminal', code: 'shared', value: '2, 4' },
    'terminal: Lines 2, 4 of this file have the same terminal number.',
  ],
] satisfies [ImportFault, string][])('says which rule a value breaks: %j', async (fault, text) => {
  const plan: ImportPlan = {
    encoding: 'utf-8',
    isGuess: false,
    counts: { added: 0, changed: 0, unchanged: 0, refused: 1 },
    token: 'a'.repeat(64),
    rows: [{ line: 2, deviceid: 'A', name: 'A', outcome: 'refused', changes: [], faults: [fault] }],
  };
  const gateway = await openDialog();
  gateway.on(`POST ${IMPORT_PATH}/check`, () => json({ error: false, data: plan }));
  await userEvent.upload(screen.getByLabelText('Select file'), new File(['deviceid'], 'devices.csv'));
  await waitFor(() => expect(document.body.textContent).toContain(text));
});

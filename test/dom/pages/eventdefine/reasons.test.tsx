import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { ReasonsTab } from '../../../../pages/innerpage/eventdefine/reasons/ReasonsTab.tsx';
import { EVENT_REASONS_PATH, type EventReason } from '../../../../shared/protocol/api/eventTypes.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { anyReason } from '../../../support/anyEventType.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import {
  planGateway,
  renderPage,
  settle,
  setWindowWidth,
  watchWarnings,
} from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { dialog, enter, keepReasons, reasonRecord } from './fakeEventDefine.ts';

async function openReasons(locale: 'en' | 'zh-TW' = 'en') {
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway();
  fakeSockets();
  const reasons: EventReason[] = [
    reasonRecord(),
    reasonRecord({ id: 2, code: 'test', isFalseAlarm: true }),
    { ...anyReason(), id: 3, code: 'custom-1', version: 2, isBuiltIn: false },
  ];
  keepReasons(gateway, reasons);
  await renderPage(<Frame title="Reasons">{() => <ReasonsTab />}</Frame>, locale);
  return { gateway, reasons, user: userEvent.setup() };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
const shown = (text: string) => waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));

async function menuOf(user: ReturnType<typeof userEvent.setup>, name: string, action: string) {
  const row = rows().find((each) => each.textContent?.startsWith(name)) ?? expect.fail(`no ${name}`);
  await user.click(within(row).getByLabelText(/^More actions for/));
  await user.click(await screen.findByText(action));
}

test('reasons are listed with the status that they lead to, in the language of the user', async () => {
  await openReasons('zh-TW');
  await shown('測試');
  expect(rows().map((row) => row.textContent)).toEqual([
    '測試結案後狀態誤報狀態啟用種類內建',
    '確實發生結案後狀態已結案狀態啟用種類內建',
    'Wash bay結案後狀態已結案狀態啟用種類自訂',
  ]);
});

test('a reason is added, and needs a name', async () => {
  const { reasons, user } = await openReasons();
  await shown('Wash bay');
  await user.click(screen.getByText('Add reason'));
  const form = await dialog('Add reason');
  await user.click(form.getByLabelText('Counts as false alarm'));
  await user.click(form.getByText('Save'));
  await form.findByText('Enter a name.');
  await enter(user, form.getByLabelText('Name (English)', { exact: false }), 'Workshop');
  await user.click(form.getByText('Save'));
  await screen.findByText('Reason saved.');
  await shown('Workshop');
  expect(reasons.at(-1)).toMatchObject(anyReason({ nameEn: 'Workshop', isFalseAlarm: true }));
});

test('a built-in reason is renamed, turned off and reset', async () => {
  const { reasons, user } = await openReasons();
  await shown('Test');
  await user.click(screen.getByLabelText('Edit Test'));
  const form = await dialog('Closing reason Test');
  await waitFor(() => expect(form.getByLabelText('Name (Chinese)').getAttribute('placeholder')).toBe('測試'));
  await enter(user, form.getByLabelText('Name (English)'), 'Drill');
  await user.click(form.getByText('Save'));
  await shown('Drill');
  await menuOf(user, 'Drill', 'Turn off Drill');
  await screen.findByText('Drill turned off.');
  expect(reasons[1]).toMatchObject({ nameEn: 'Drill', enabled: false, version: 3 });
  await settle();
  await menuOf(user, 'Drill', 'Reset Drill');
  const asked = await dialog('Reset Drill?');
  await user.click(asked.getByText('Reset'));
  await screen.findByText('Reason reset.');
  await shown('Test');
});

test('two administrators who edit one reason both keep what they want', async () => {
  const { reasons, user } = await openReasons();
  await shown('Wash bay');
  watchWarnings();
  await user.click(screen.getByLabelText('Edit Wash bay'));
  const form = await dialog('Closing reason Wash bay');
  reasons[2] = {
    ...anyReason({ nameZh: '洗車', isFalseAlarm: true }),
    id: 3,
    code: 'custom-1',
    version: 3,
    isBuiltIn: false,
  };
  await enter(user, form.getByLabelText('Name (English)', { exact: false }), 'Wash bay 2');
  await user.click(form.getByText('Save'));
  const conflict = await dialog('Another user changed this');
  await user.click(conflict.getByText('Continue'));
  await user.click(form.getByText('Save'));
  await screen.findByText('Reason saved.');
  expect(reasons[2]).toMatchObject({ nameEn: 'Wash bay 2', nameZh: '洗車', isFalseAlarm: true, version: 4 });
});

test('the last reason stays on, and the notice says why', async () => {
  const { gateway, user } = await openReasons();
  await shown('Wash bay');
  watchWarnings();
  const refusal = { error: true, code: 'last-reason', message: 'last' };
  gateway.on(`PUT ${EVENT_REASONS_PATH}/3`, () => json(refusal, { status: 409 }));
  await menuOf(user, 'Wash bay', 'Turn off Wash bay');
  expect(await noticeOf('At least one reason must be on, so that events can be closed.')).toBe('error');
});

test('a reason of an administrator is deleted', async () => {
  const { reasons, user } = await openReasons();
  await shown('Wash bay');
  await menuOf(user, 'Wash bay', 'Delete Wash bay');
  const sure = await dialog('Delete Wash bay?');
  await user.click(sure.getByText('Delete'));
  await screen.findByText('Reason deleted.');
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(reasons).toHaveLength(2);
});

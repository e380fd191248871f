import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EventDefinePage } from '../../../../pages/innerpage/eventdefine/EventDefinePage.tsx';
import { EVENT_TYPES_PATH, type EventTypeRecord } from '../../../../shared/protocol/api/eventTypes.ts';
import { anyEventType } from '../../../support/anyEventType.ts';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, setWindowWidth, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { dialog, enter, keepTypes, typeRecord } from './fakeEventDefine.ts';

const SPEEDING = typeRecord();
const FATIGUE = typeRecord({ code: 'fatigue', category: 'driver', severity: 'critical', enabled: false });
const RAMP = typeRecord({ ...anyEventType(), code: 'custom-1', isBuiltIn: false, version: 4 });

/** A window of a phone: there the grid shows every row, as it needs no measure of its box. */
async function openPage(locale: 'en' | 'zh-TW' | 'jp' = 'en', permission = ['system', 'eventdefine']) {
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway({ user: { permission } });
  fakeSockets();
  const types: EventTypeRecord[] = [SPEEDING, FATIGUE, RAMP];
  keepTypes(gateway, types);
  await renderPage(<EventDefinePage />, locale);
  return { gateway, types, user: userEvent.setup() };
}

const rows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
const shown = (text: string) => waitFor(() => expect(rows().some((row) => row.textContent?.includes(text))).toBe(true));

describe('the table of event types', () => {
  test('says of each what it is called, how severe it is, and what becomes of it', async () => {
    await openPage();
    await shown('Ramp down');
    expect(rows().map((row) => row.textContent)).toEqual([
      'FatigueCategoryDriverSeverityCriticalSoundAlertAcknowledgmentNeededClip5 s before, 30 s afterStatusOffKindBuilt-in',
      'Ramp downCategorySafetySeverityMajorSoundAlertAcknowledgmentNeededClip5 s before, 30 s afterStatusOnKindCustom',
      'SpeedingCategorySafetySeverityMajorSoundAlertAcknowledgmentNeededClip5 s before, 30 s afterStatusOnKindBuilt-in',
    ]);
  });

  test('is in the language of the user', async () => {
    await openPage('jp');
    await shown('速度超過');
    expect(rows().map((row) => row.textContent?.slice(0, 4))).toContain('疲労運転');
  });

  test('is searched and filtered', async () => {
    const { user } = await openPage();
    await shown('Speeding');
    await user.selectOptions(screen.getByLabelText('Category'), 'Safety');
    await waitFor(() => expect(rows()).toHaveLength(2));
    await enter(user, screen.getByLabelText('Search table'), 'ramp');
    await waitFor(() => expect(rows()).toHaveLength(1));
    await user.selectOptions(screen.getByLabelText('Status'), 'Off');
    await screen.findByText('No results. Change the search or filters.');
  });

  test('is not there for those who may not define events', async () => {
    const { gateway } = await openPage('en', ['system', 'event']);
    await screen.findByText("You don't have permission for this page. Ask your administrator for it.");
    expect(gateway.callsOf(EVENT_TYPES_PATH)).toEqual([]);
  });
});

describe('an event type', () => {
  test('that is built in shows its built-in names until it is renamed', async () => {
    const { types, user } = await openPage();
    await shown('Speeding');
    await user.click(screen.getByLabelText('Edit Speeding'));
    const form = await dialog('Event type Speeding');
    const names = ['English', 'Chinese', 'Japanese'].map((name) => form.getByLabelText(`Name (${name})`));
    const placeholders = () => names.map((name) => name.getAttribute('placeholder'));
    await waitFor(() => expect(placeholders()).toEqual(['Speeding', '超速', '速度超過']));
    expect((form.getByLabelText('Category') as HTMLSelectElement).disabled).toBe(true);
    expect(form.queryByText('Detection')).toBeNull();
    await enter(user, names[0] as HTMLElement, 'Too fast');
    expect(placeholders().slice(1)).toEqual(['Too fast', 'Too fast']);
    await enter(user, names[1] as HTMLElement, '太快');
    await user.selectOptions(form.getByLabelText('Severity'), 'Critical');
    await user.click(form.getByLabelText('Teal'));
    await user.click(form.getByLabelText('Fuel'));
    await user.click(form.getByText('Save'));
    await shown('Too fast');
    expect(types[0]).toMatchObject({
      nameEn: 'Too fast',
      nameZh: '太快',
      nameJp: '',
      severity: 'critical',
      color: '#16908f',
      icon: 'fuel',
      source: null,
      version: 2,
    });
    await screen.findByText('Event type saved.');
  });

  test('is added with what raises it', async () => {
    const { gateway, user } = await openPage();
    await shown('Speeding');
    await user.click(screen.getByText('Add event type'));
    const form = await dialog('Add event type');
    await enter(user, form.getByLabelText('Item ID', { exact: false }), '300');
    await user.click(form.getByLabelText('Needs acknowledgment'));
    await user.click(form.getByText('Save'));
    await form.findByText('Enter a name.');
    await form.findByText('Enter a number from 0 to 255, such as 0xE1 or 225.');
    await enter(user, form.getByLabelText('Name (English)', { exact: false }), 'Door forced');
    await user.selectOptions(form.getByLabelText('Terminal report'), 'Passthrough message');
    const id = form.getByLabelText('Passthrough type', { exact: false });
    await enter(user, id, '0x41');
    await user.click(form.getByLabelText('Only with a certain value'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Event type saved.');
    const added = gateway.callsOf(EVENT_TYPES_PATH).find(({ method }) => method === 'POST');
    expect(added?.body).toEqual({
      nameEn: 'Door forced',
      nameZh: '',
      nameJp: '',
      category: 'device',
      severity: 'minor',
      color: '',
      icon: 'flag',
      sound: 'none',
      needsAcknowledgment: true,
      clipBeforeS: 10,
      clipAfterS: 20,
      snapshotChannels: [],
      enabled: true,
      source: { kind: 'passthrough', passthroughType: 0x41, match: null },
    });
  });

  test('that another administrator has changed meanwhile keeps what both want', async () => {
    const { types, user } = await openPage();
    await shown('Ramp down');
    watchWarnings();
    await user.click(screen.getByLabelText('Edit Ramp down'));
    const form = await dialog('Event type Ramp down');
    types[2] = { ...RAMP, severity: 'critical', clipAfterS: 60, version: 5 };
    const after = form.getByLabelText('Clip after the event (s)', { exact: false });
    await enter(user, after, '90');
    await user.click(form.getByText('Save'));
    const conflict = await dialog('Another user changed this');
    conflict.getByText('Theirs: 60 (was 30)');
    await user.click(conflict.getByText('Continue'));
    await user.click(form.getByText('Save'));
    await screen.findByText('Event type saved.');
    expect(types[2]).toMatchObject({ severity: 'critical', clipAfterS: 90, version: 6 });
  });

  test('that is refused says so at the field', async () => {
    const { gateway, user } = await openPage();
    await shown('Ramp down');
    watchWarnings();
    const refusal = { error: true, code: 'bad-fields', message: 'fields', data: { fields: { nameEn: 'taken' } } };
    gateway.on(`PUT ${EVENT_TYPES_PATH}/custom-1`, () => json(refusal, { status: 409 }));
    await user.click(screen.getByLabelText('Edit Ramp down'));
    const form = await dialog('Event type Ramp down');
    const name = form.getByLabelText('Name (English)', { exact: false });
    await enter(user, name, 'Speeding');
    await user.click(form.getByText('Save'));
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
  });

  test('is turned off, reset and deleted from its row, which notices say (S-1.5)', async () => {
    const { types, user } = await openPage();
    await shown('Ramp down');
    const act = async (name: string, action: string) => {
      const row = rows().find((each) => each.textContent?.startsWith(name)) ?? expect.fail(`no ${name}`);
      await user.click(within(row).getByLabelText(/^More actions for/));
      await user.click(await screen.findByText(action));
    };
    await act('Speeding', 'Turn off Speeding');
    expect(await noticeOf('Speeding turned off.')).toBe('success');
    expect(types[0]).toMatchObject({ enabled: false, source: null, version: 2 });
    await waitFor(() =>
      expect(rows().find((row) => row.textContent?.startsWith('Speeding'))?.textContent).toContain('StatusOff'),
    );
    await act('Speeding', 'Reset Speeding');
    const asked = await dialog('Reset Speeding?');
    await user.click(asked.getByText('Reset'));
    await screen.findByText('Event type reset.');
    expect(types[0]).toMatchObject({ enabled: true, version: 3 });
    await act('Ramp down', 'Delete Ramp down');
    const sure = await dialog('Delete Ramp down?');
    await user.click(sure.getByText('Delete'));
    await screen.findByText('Event type deleted.');
    await waitFor(() => expect(rows()).toHaveLength(2));
    expect(types.map(({ code }) => code)).toEqual(['speeding', 'fatigue']);
  });

  test('that cannot be turned off says so: a warning of what others did, otherwise an error (S-1.5)', async () => {
    const { gateway, user } = await openPage();
    await shown('Speeding');
    watchWarnings();
    const kindAfter = async (text: RegExp, answer: () => Response | Error) => {
      gateway.on(`PUT ${EVENT_TYPES_PATH}/speeding`, answer);
      const row = rows().find((each) => each.textContent?.startsWith('Speeding')) ?? expect.fail('no row');
      await user.click(within(row).getByLabelText(/^More actions for/));
      await user.click(await screen.findByText('Turn off Speeding'));
      return noticeOf(text);
    };
    const conflict = () => json({ error: true, code: 'conflict', message: 'conflict' }, { status: 409 });
    expect(await kindAfter(/^Another user has changed this/, conflict)).toBe('warning');
    expect(await kindAfter(/^Can't reach the server/, () => new TypeError('away'))).toBe('error');
  });

  test('that events have stays, and the dialog says why', async () => {
    const { gateway, user } = await openPage();
    await shown('Ramp down');
    watchWarnings();
    const refusal = { error: true, code: 'used-by-events', message: 'used' };
    gateway.on(`DELETE ${EVENT_TYPES_PATH}/custom-1`, () => json(refusal, { status: 409 }));
    const row = rows().find((each) => each.textContent?.startsWith('Ramp')) ?? expect.fail('no row');
    await user.click(within(row).getByLabelText(/^More actions for/));
    await user.click(await screen.findByText('Delete Ramp down'));
    const sure = await dialog('Delete Ramp down?');
    await user.click(sure.getByText('Delete'));
    await sure.findByText('Events refer to this. Turn it off instead of deleting it.');
  });
});

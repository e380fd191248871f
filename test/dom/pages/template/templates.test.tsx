import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test } from 'vitest';
import { Templates } from '../../../../pages/innerpage/template/Templates.tsx';
import {
  TEMPLATE_PREVIEW_PATH,
  TEMPLATES_PATH,
  type Template,
} from '../../../../shared/protocol/api/notify/templates.ts';
import { Frame } from '../../../../shared/ui/frame/Frame.tsx';
import { noticeOf } from '../../../support/browser/notices.ts';
import { planGateway, renderPage, setWindowWidth, watchWarnings } from '../../../support/browser/renderPage.tsx';
import { json } from '../../../support/fakes/fakeGateway.ts';
import { fakeSockets } from '../../../support/fakes/fakeSocket.ts';
import { templateRecord } from '../../../support/templateContents.ts';
import { dialog, enter } from '../eventdefine/fakeEventDefine.ts';
import { keepTemplates, standard } from './fakeTemplates.ts';

async function openTemplates(locale: 'en' | 'zh-TW' = 'en') {
  setWindowWidth(400);
  onTestFinished(() => setWindowWidth(1024));
  const gateway = planGateway();
  fakeSockets();
  const texts = { en: { subject: 'At {{event.begin}}', body: 'First line\nat {{device.name}}' } };
  const rows: Template[] = [
    templateRecord({ texts }),
    templateRecord({
      id: 2,
      name: 'Night SMS',
      kind: 'sms',
      fallback: 'jp',
      texts: { jp: { subject: '', body: '{{event.type}}' }, en: { subject: '', body: '{{event.type}}' } },
    }),
  ];
  keepTemplates(gateway, rows);
  await renderPage(<Frame title="Templates">{() => <Templates />}</Frame>, locale);
  return { gateway, rows, user: userEvent.setup() };
}

const shownRows = () => [...document.querySelectorAll<HTMLElement>('.MuiDataGrid-row')];
const shown = (text: string) =>
  waitFor(() => expect(shownRows().some((row) => row.textContent?.includes(text))).toBe(true));

/** A role is worked out for every element of the page, so tabs are found by their attribute. */
function tab(language: string): HTMLElement {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  return tabs.find((each) => each.textContent?.startsWith(language)) ?? expect.fail(`no tab ${language}`);
}

async function menuOf(user: ReturnType<typeof userEvent.setup>, name: string, action: string) {
  const row = shownRows().find((each) => each.textContent?.startsWith(name)) ?? expect.fail(`no ${name}`);
  await user.click(within(row).getByLabelText(/^More actions for/));
  await user.click(await screen.findByText(action));
}

test('templates are listed with kind and languages, in the language of the user (S-2.4.13)', async () => {
  await openTemplates('zh-TW');
  await shown('Night SMS');
  expect(shownRows().map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Night mail種類電子郵件語言English變更時間/),
    expect.stringMatching(/^Night SMS種類簡訊語言日本語、English變更時間/),
  ]);
});

test('a filter lists one kind', async () => {
  const { user } = await openTemplates();
  await shown('Night mail');
  await user.selectOptions(screen.getByLabelText('Kind'), 'sms');
  await waitFor(() => expect(shownRows()).toHaveLength(1));
  await shown('Night SMS');
});

test('a new template begins with the standard texts of its kind', async () => {
  const { rows, user } = await openTemplates();
  await shown('Night mail');
  await user.click(await screen.findByText('Add template'));
  const form = await dialog('Add template');
  expect(form.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('email {{event.type}}');
  await user.selectOptions(form.getByLabelText('Kind'), 'webhook');
  expect(form.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('{"id": "{{event.id}}"}');
  expect(form.queryByLabelText('Subject')).toBeNull();
  await user.click(form.getByText('Save'));
  await form.findByText('Enter a name.');
  await enter(user, form.getByLabelText(/^Name/), 'Hook');
  await user.click(form.getByText('Save'));
  await screen.findByText('Template saved.');
  await shown('Hook');
  expect(rows.at(-1)).toMatchObject({ name: 'Hook', kind: 'webhook', fallback: 'en', texts: standard('webhook') });
});

test('texts that were edited stay when the kind is changed, until the standard ones are asked for', async () => {
  const { user } = await openTemplates();
  await shown('Night mail');
  await user.click(await screen.findByText('Add template'));
  const form = await dialog('Add template');
  await enter(user, form.getByLabelText('Text'), 'Own text');
  await user.selectOptions(form.getByLabelText('Kind'), 'sms');
  expect(form.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('Own text');
  await user.click(form.getByText('Use standard texts'));
  expect(form.getByLabelText<HTMLTextAreaElement>('Text').value).toBe('sms {{event.type}}');
});

test('a variable is inserted where the cursor is', async () => {
  const { rows, user } = await openTemplates();
  await shown('Night mail');
  await user.click(screen.getByLabelText('Edit Night mail'));
  const form = await dialog('Template Night mail');
  const text = form.getByLabelText<HTMLTextAreaElement>('Text');
  await user.click(text);
  text.setSelectionRange(5, 10);
  await user.click(form.getByLabelText('Insert event.id'));
  expect(text.value).toBe('First{{event.id}}\nat {{device.name}}');
  expect(document.activeElement).toBe(text);
  expect(text.selectionStart).toBe('First{{event.id}}'.length);
  const subject = form.getByLabelText<HTMLInputElement>('Subject');
  await user.click(subject);
  subject.setSelectionRange(0, 0);
  await user.click(form.getByLabelText('Insert device.plate'));
  expect(subject.value).toBe('{{device.plate}}At {{event.begin}}');
  await user.click(form.getByText('Save'));
  await screen.findByText('Template saved.');
  expect(rows[0]).toMatchObject({ version: 2, texts: { en: { subject: '{{device.plate}}At {{event.begin}}' } } });
});

test('a variable that does not exist is named with its line, and the language with it is shown', async () => {
  const { gateway, user } = await openTemplates();
  await shown('Night mail');
  await user.click(screen.getByLabelText('Edit Night mail'));
  const form = await dialog('Template Night mail');
  await user.click(tab('日本語'));
  await enter(user, form.getByLabelText('Subject'), '件名');
  await enter(user, form.getByLabelText('Text'), 'a\nb {{devcie.name}}');
  await user.click(tab('English'));
  await user.click(form.getByText('Save'));
  const text = await waitFor(() => {
    const field = form.getByLabelText('Text');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    return field;
  });
  expect((text as HTMLTextAreaElement).value).toContain('devcie');
  form.getByText("Line 2: there's no variable devcie.name. Select one from the list.");
  expect(tab('日本語 (check)').getAttribute('aria-selected')).toBe('true');
  expect(gateway.calls.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a webhook text has to be JSON, of which no line is left out', async () => {
  const { user } = await openTemplates();
  await shown('Night mail');
  await user.click(await screen.findByText('Add template'));
  const form = await dialog('Add template');
  form.getByText('Select one to insert it at the cursor. Lines whose variables are all empty are left out.');
  await user.selectOptions(form.getByLabelText('Kind'), 'webhook');
  form.getByText('Select one to insert it at the cursor.');
  await enter(user, form.getByLabelText('Text'), '{"a":\n {{event.id}}}');
  await user.tab();
  await form.findByText('Line 2: put event.id between double quotes.');
  await enter(user, form.getByLabelText('Text'), '{"a": 1,\n}');
  await form.findByText('Line 2: not JSON. Check quotes, commas, and braces.');
});

test('the preview shows what is typed, in the language of the tab and with the chosen event', async () => {
  const { gateway, user } = await openTemplates();
  await shown('Night SMS');
  await user.click(screen.getByLabelText('Edit Night SMS'));
  const form = await dialog('Template Night SMS');
  await form.findByText('event 0: {{event.type}}');
  form.getByText('Segments: 1. Characters: 27 (GSM-7).');
  await user.selectOptions(form.getByLabelText('Event'), '9');
  await form.findByText('event 9: {{event.type}}');
  await enter(user, form.getByLabelText('Text'), '速度');
  await form.findByText('event 9: 速度');
  form.getByText('Segments: 1. Characters: 11 (UCS-2).');
  await user.click(tab('繁體中文'));
  await form.findByText('event 9: fallback');
  await user.click(tab('日本語'));
  await enter(user, form.getByLabelText('Text'), '{{');
  await form.findByText('The preview appears when all texts are complete.');
  for (const { body } of gateway.callsOf(TEMPLATE_PREVIEW_PATH)) expect(JSON.stringify(body)).not.toContain('{{"');
});

test('a mail is previewed in a frame that runs no scripts', async () => {
  const { user } = await openTemplates();
  await shown('Night mail');
  await user.click(screen.getByLabelText('Edit Night mail'));
  const form = await dialog('Template Night mail');
  const frame = await form.findByTitle('Preview of the email');
  expect(frame.getAttribute('sandbox')).toBe('');
  expect(frame.getAttribute('srcdoc')).toBe('<p>event 0: First line\nat {{device.name}}</p>');
});

test('two administrators who edit one template both keep what they want (S-9.11)', async () => {
  const { rows, user } = await openTemplates();
  await shown('Night mail');
  watchWarnings();
  await user.click(screen.getByLabelText('Edit Night mail'));
  const form = await dialog('Template Night mail');
  const [first] = rows;
  rows[0] = {
    ...(first ?? templateRecord()),
    fallback: 'en',
    version: 2,
    texts: { ...first?.texts, jp: { subject: 'S', body: 'J' } },
  };
  await enter(user, form.getByLabelText(/^Name/), 'Day mail');
  await user.click(form.getByText('Save'));
  const conflict = await dialog('Another user changed this');
  await user.click(conflict.getByText('Continue'));
  await user.click(form.getByText('Save'));
  await screen.findByText('Template saved.');
  expect(rows[0]).toMatchObject({ name: 'Day mail', version: 3, texts: { jp: { subject: 'S', body: 'J' } } });
});

test('what the server refuses stands at its field', async () => {
  const { gateway, user } = await openTemplates();
  await shown('Night mail');
  watchWarnings();
  const refusal = {
    error: true,
    code: 'bad-fields',
    message: 'x',
    data: { fields: { name: 'taken', 'texts.en.body': 'unknown-variable' } },
  };
  gateway.on(`PUT ${TEMPLATES_PATH}/1`, () => json(refusal, { status: 409 }));
  await user.click(screen.getByLabelText('Edit Night mail'));
  const form = await dialog('Template Night mail');
  await enter(user, form.getByLabelText(/^Name/), 'Night SMS');
  await user.click(form.getByText('Save'));
  await form.findByText("The text has a variable that doesn't exist. Select one from the list.");
  await form.findByText('Already in use. Enter another value.');
});

test('a template is duplicated, and one that a rule uses is not deleted', async () => {
  const { gateway, rows, user } = await openTemplates();
  await shown('Night mail');
  await menuOf(user, 'Night mail', 'Duplicate Night mail');
  const form = await dialog('Add template');
  await user.click(form.getByText('Save'));
  await screen.findByText('Template saved.');
  await shown('Copy of Night mail');
  expect(rows.at(-1)).toMatchObject({ name: 'Copy of Night mail', texts: rows[0]?.texts });
  watchWarnings();
  const refusal = { error: true, code: 'template-in-use', message: 'used' };
  gateway.on(`DELETE ${TEMPLATES_PATH}/2`, () => json(refusal, { status: 409 }));
  await menuOf(user, 'Night SMS', 'Delete Night SMS');
  const sure = await dialog('Delete Night SMS?');
  await user.click(sure.getByText('Delete'));
  await sure.findByText('Notification rules use this template. Select another template there first.');
});

test('a template is deleted', async () => {
  const { rows, user } = await openTemplates();
  await shown('Night mail');
  await menuOf(user, 'Night mail', 'Delete Night mail');
  const sure = await dialog('Delete Night mail?');
  await user.click(sure.getByText('Delete'));
  expect(await noticeOf('Template deleted.')).toBe('success');
  await waitFor(() => expect(shownRows()).toHaveLength(1));
  expect(rows).toHaveLength(1);
});

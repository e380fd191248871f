import type { InjectOptions } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES_LIMIT } from '../../../../../server/store/notify/notifyTemplates.ts';
import {
  MAX_TEMPLATE_BODY,
  type Template,
  type TemplateEvents,
  type TemplatePresets,
  type TemplatePreview,
} from '../../../../../shared/protocol/api/notify/templates.ts';
import { SENDER_KINDS } from '../../../../../shared/protocol/notify/notifyWords.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { templateContent } from '../../../../support/templateContents.ts';
import { cookieFor } from '../../events/eventDefineScene.ts';
import { createEventScene, type EventScene } from '../../events/eventScene.ts';

const TEMPLATES = '/api/template/templates';
const PREVIEW = '/api/template/preview';

let scene: EventScene;
beforeEach(async () => {
  scene = await createEventScene();
  const groups = (await scene.test.stores.memberGroups.list()).map(({ serialno }) => serialno);
  await scene.test.addUser('writer', ['system', 'template'], groups.slice(0, 1));
  await scene.test.addUser('half', ['template']);
  scene.test.changed.splice(0);
});
afterEach(() => scene.test.close());

async function ask<Data>(method: NonNullable<InjectOptions['method']>, url: string, body?: object, as = 'writer') {
  const headers = { cookie: await cookieFor(scene.test, as) };
  const answer = await scene.test.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  const { code, data } = answer.json();
  return { status: answer.statusCode, code, data: data as Data };
}

async function add(changes: Parameters<typeof templateContent>[0] = {}): Promise<Template> {
  const { data, status } = await ask<Template>('POST', TEMPLATES, templateContent(changes));
  expect(status).toBe(200);
  return data;
}

async function audit() {
  const entries = await scene.test.stores.audit.list({ limit: 50 });
  return entries.flatMap((entry) => (entry.action.startsWith('template.') ? [entry] : []));
}

describe('an administrator of templates (S-2.4.13, S-2.1.11, S-2.3.5)', () => {
  it('adds, changes and deletes one, which is told and noted', async () => {
    const added = await add({ name: ' Night mail ' });
    expect(added).toMatchObject({
      ...templateContent(),
      version: 1,
      changedBy: 'writer',
      changedAtMs: scene.test.clock.now,
    });
    const path = `${TEMPLATES}/${added.id}`;
    const other = templateContent({
      name: 'Day mail',
      fallback: 'jp',
      texts: { jp: { subject: '件名', body: '本文' } },
    });
    const changed = await ask<Template>('PUT', path, { ...other, version: 1 });
    expect(changed.data).toMatchObject({ ...other, id: added.id, version: 2 });
    expect((await ask('DELETE', `${path}?version=2`)).status).toBe(200);
    expect((await ask<{ rows: unknown[] }>('GET', TEMPLATES)).data.rows).toEqual([]);
    expect(scene.test.changed).toEqual(['template', 'template', 'template']);
    const entries = await audit();
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ['template.remove', 'Day mail'],
      ['template.change', 'Night mail'],
      ['template.add', 'Night mail'],
    ]);
    expect(entries[1]?.before).toMatchObject({ name: 'Night mail', fallback: 'en' });
  });

  it('lists, searches and filters them, and downloads them as CSV (S-6.2)', async () => {
    await add({ name: 'Beta', kind: 'sms', texts: { en: { subject: '', body: 'x' } } });
    await add({ name: '=Alpha' });
    const names = async (query: string) =>
      (await ask<{ rows: readonly Template[] }>('GET', `${TEMPLATES}?${query}`)).data.rows.map(({ name }) => name);
    expect(await names('')).toEqual(['=Alpha', 'Beta']);
    expect(await names('sort=kind&descending=1')).toEqual(['Beta', '=Alpha']);
    expect(await names('kind=sms')).toEqual(['Beta']);
    expect(await names('search=alp')).toEqual(['=Alpha']);
    const file = await scene.test.download(`${TEMPLATES}/csv?kind=sms`, await cookieFor(scene.test, 'writer'));
    expect(file.body).toContain('name,kind,languages,fallback,changedAt,changedBy');
    expect(file.body).toContain('Beta,sms,en,en,2026-');
    expect(file.body).not.toContain('Alpha');
  });

  it('is told what is wrong with a text, and in which line', async () => {
    const texts = { en: { subject: '{{event.typ}}', body: 'a\nb {{devcie.name}}' }, jp: { subject: ' ', body: 'x' } };
    const fields = {
      'texts.en.subject': 'unknown-variable',
      'texts.en.body': 'unknown-variable',
      'texts.jp.subject': 'required',
    };
    const refusal = {
      status: 422,
      code: 'bad-fields',
      data: {
        fields,
        places: {
          'texts.en.subject': { line: 1, column: 1, name: 'event.typ' },
          'texts.en.body': { line: 2, column: 3, name: 'devcie.name' },
        },
      },
    };
    expect(await ask('POST', TEMPLATES, templateContent({ texts }))).toEqual(refusal);
    const { id } = await add();
    expect(await ask('PUT', `${TEMPLATES}/${id}`, { ...templateContent({ texts }), version: 1 })).toEqual(refusal);
    expect(await ask('POST', PREVIEW, { kind: 'email', fallback: 'en', texts, event: 0 })).toEqual(refusal);
  });

  it.each([
    [{ name: '  ' }, { name: 'required' }],
    [{ fallback: 'jp' }, { 'texts.jp.subject': 'required', 'texts.jp.body': 'required' }],
    [
      { kind: 'webhook', texts: { en: { subject: '', body: '{"a": {{event.id}}}' } } },
      { 'texts.en.body': 'variable-outside-text' },
    ],
    [{ kind: 'webhook', texts: { en: { subject: '', body: '{"a": 1' } } }, { 'texts.en.body': 'not-json' }],
    [{ texts: { en: { subject: 'a', body: '{{- event.id}}' } } }, { 'texts.en.body': 'malformed-variable' }],
  ] as const)('is refused %j', async (changes, fields) => {
    expect(await ask('POST', TEMPLATES, templateContent(changes))).toMatchObject({ status: 422, data: { fields } });
  });

  it('keeps no empty language, and a subject only where the kind has one', async () => {
    const texts = { en: { subject: 'x', body: 'a\r\nb' }, jp: { subject: ' ', body: '\n' } };
    expect((await add({ kind: 'sms', texts })).texts).toEqual({ en: { subject: '', body: 'a\nb' } });
  });

  it('cannot store a template of a megabyte, a subject of two lines, or a language that is none', async () => {
    const refused = async (texts: object, status = 400) =>
      expect((await ask('POST', TEMPLATES, { ...templateContent(), texts })).status).toBe(status);
    await refused({ en: { subject: 'x', body: 'x'.repeat(1_000_000) } }, 413);
    await refused({ en: { subject: 'x', body: 'x'.repeat(MAX_TEMPLATE_BODY + 1) } });
    await refused({ en: { subject: 'x\r\nBcc: a@example.com', body: 'x' } });
    await refused({ de: { subject: 'x', body: 'x' } });
  });

  it('cannot give a name twice, nor another kind to a template', async () => {
    const { id } = await add();
    await add({ name: 'Other' });
    const taken = { status: 409, data: { fields: { name: 'taken' } } };
    expect(await ask('POST', TEMPLATES, templateContent({ name: 'NIGHT mail' }))).toMatchObject(taken);
    const other = { ...templateContent({ name: 'other' }), version: 1 };
    expect(await ask('PUT', `${TEMPLATES}/${id}`, other)).toMatchObject(taken);
    const push = { ...templateContent({ kind: 'push' }), version: 1 };
    expect(await ask('PUT', `${TEMPLATES}/${id}`, push)).toMatchObject({
      status: 422,
      data: { fields: { kind: 'not-allowed' } },
    });
  });

  it('is told of another one who was first (S-9.11)', async () => {
    const { id } = await add();
    const path = `${TEMPLATES}/${id}`;
    await ask('PUT', path, { ...templateContent({ name: 'Mine' }), version: 1 });
    const conflict = { status: 409, code: 'conflict', data: { current: { name: 'Mine', version: 2 } } };
    expect(await ask('PUT', path, { ...templateContent({ name: 'Yours' }), version: 1 })).toMatchObject(conflict);
    expect(await ask('DELETE', `${path}?version=1`)).toMatchObject(conflict);
    await ask('DELETE', `${path}?version=2`);
    const gone = { status: 404, code: 'no-such-template' };
    expect(await ask('PUT', path, { ...templateContent(), version: 2 })).toMatchObject(gone);
    expect(await ask('DELETE', `${path}?version=2`)).toMatchObject(gone);
  });

  it('cannot delete one that a rule uses, nor add more than there may be', async () => {
    const { id } = await add();
    const { notifyTemplates } = scene.test.stores;
    const { remove } = notifyTemplates;
    Object.assign(notifyTemplates, { remove: async () => ({ ok: false, reason: 'used' }) });
    expect(await ask('DELETE', `${TEMPLATES}/${id}?version=1`)).toMatchObject({ status: 409, code: 'template-in-use' });
    Object.assign(notifyTemplates, { remove });
    const change = { by: 'root', atMs: wallMs(1) };
    for (let count = 1; count < TEMPLATES_LIMIT.max; count++) {
      await notifyTemplates.add(templateContent({ name: `t${count}` }), change);
    }
    const one = templateContent({ name: 'one more' });
    expect(await ask('POST', TEMPLATES, one)).toMatchObject({ status: 409, code: 'too-many-templates' });
  });
});

describe('the preview of a template', () => {
  const given = {
    kind: 'email',
    fallback: 'en',
    texts: { en: { subject: '{{device.name}}', body: '{{event.type}} <b>{{event.link}}' } },
  };

  it('is of a real event of the member group, in each language', async () => {
    const [id] = await scene.add({ type: 'speeding' });
    const { data } = await ask<TemplatePreview>('POST', PREVIEW, { ...given, event: id });
    expect(data.map(({ language, subject, body }) => [language, subject, body])).toEqual([
      ['en', 'North line', 'Speeding <b>'],
      ['zh-TW', 'North line', 'Speeding <b>'],
      ['jp', 'North line', 'Speeding <b>'],
    ]);
    expect(data[0]?.html).toContain('Speeding &lt;b&gt;');
    expect(scene.test.changed).toEqual([]);
  });

  it('is of a made-up event where there is none yet, and has no HTML but in mail', async () => {
    const sms = { kind: 'sms', fallback: 'jp', texts: { jp: { subject: '', body: '{{event.type}}' } }, event: 0 };
    const { data } = await ask<TemplatePreview>('POST', PREVIEW, sms);
    expect(data.map(({ body, html }) => [body, html])).toEqual(Array.from({ length: 3 }, () => ['速度超過', '']));
  });

  it('shows no event of another member group', async () => {
    const [id] = await scene.add({ archiveNumber: scene.south });
    expect(await ask('POST', PREVIEW, { ...given, event: id })).toMatchObject({ status: 404, code: 'no-such-event' });
    expect((await ask<TemplateEvents>('GET', '/api/template/events')).data).toEqual([]);
  });

  it('offers the newest events of the member group', async () => {
    const ids = await scene.add({ beginAtMs: 1_794_999_000_000 }, { beginAtMs: 1_794_999_060_000 });
    const { data } = await ask<TemplateEvents>('GET', '/api/template/events');
    expect(data.map(({ id, deviceName }) => [id, deviceName])).toEqual([
      [ids[1], 'North line'],
      [ids[0], 'North line'],
    ]);
  });

  it('begins with the texts that come with the product', async () => {
    const { data } = await ask<TemplatePresets>('GET', '/api/template/presets');
    expect(data.map(({ kind }) => kind)).toEqual(SENDER_KINDS);
    expect(Object.keys(data[0]?.texts ?? {})).toEqual(['en', 'zh-TW', 'jp']);
  });
});

it.each(['ann', 'half', 'root'])('a member without both permissions reaches no call of templates: %s', async (who) => {
  const { id } = await add();
  const calls = [
    ['GET', TEMPLATES],
    ['POST', TEMPLATES, templateContent()],
    ['PUT', `${TEMPLATES}/${id}`, { ...templateContent(), version: 1 }],
    ['DELETE', `${TEMPLATES}/${id}?version=1`],
    ['GET', '/api/template/presets'],
    ['GET', '/api/template/events'],
    ['POST', PREVIEW, { kind: 'sms', fallback: 'en', texts: { en: { subject: '', body: 'x' } }, event: 0 }],
  ] as const;
  for (const [method, url, body] of calls) expect((await ask(method, url, body, who)).status, url).toBe(403);
});

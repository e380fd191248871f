import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TEMPLATES_LIMIT } from '../../../../server/store/notify/notifyTemplates.ts';
import { createStores, type Stores } from '../../../../server/store/stores.ts';
import type { Template, TemplateContent } from '../../../../shared/protocol/api/notify/templates.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { templateContent } from '../../../support/templateContents.ts';
import { describeOnBothEngines, openTestDatabase, type TestDatabase } from '../testDatabase.ts';

const CHANGE = { by: 'ann', atMs: wallMs(1_795_000_000_000) };
const LATER = { by: 'bob', atMs: wallMs(1_795_000_060_000) };

describeOnBothEngines('the store of templates', (engine) => {
  let database: TestDatabase;
  let stores: Stores;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    stores = createStores(database.db);
  });
  beforeEach(async () => {
    for (const table of ['notify_rule', 'notify_template', 'member_group'] as const) {
      await database.db.deleteFrom(table).execute();
    }
  });
  afterAll(() => database.close());

  async function added(changes: Partial<TemplateContent> = {}): Promise<Template> {
    const answer = await stores.notifyTemplates.add(templateContent(changes), CHANGE);
    if (!answer.ok) throw new Error(answer.reason);
    return answer.value;
  }

  /** A rule whose second step uses the template. */
  async function addRule(template: number): Promise<void> {
    const member_group = await stores.memberGroups.insert({ name: 'North' });
    const steps = [0, template].map((each) => ({ deliveries: [{ sender: 1, template: each }] }));
    const change = { changed_at_ms: 1, changed_by: 'ann' };
    const rule = { member_group, name: 'Night', enabled: 1, settings: JSON.stringify({ steps }), ...change };
    await database.db.insertInto('notify_rule').values(rule).execute();
  }

  async function names(query: {
    readonly search?: string;
    readonly kind?: 'sms';
    readonly sort?: 'kind' | 'changedAtMs';
  }) {
    const position = { at: 'offset', offset: 0 } as const;
    const { search = '', kind, sort = 'name' } = query;
    const page = await stores.notifyTemplates.page({ search, kind, sort, descending: false, limit: 50, position });
    return page?.rows.map(({ name }) => name);
  }

  it('keeps every field, and who changed it when', async () => {
    const texts = { jp: { subject: '件名 {{event.id}}', body: '"本文"\n\\' } };
    const content = templateContent({ name: 'Büro', fallback: 'jp', texts });
    const template = await added(content);
    expect(template).toEqual({ ...content, id: template.id, version: 1, changedAtMs: CHANGE.atMs, changedBy: 'ann' });
    const other = templateContent({ name: 'Office' });
    expect(await stores.notifyTemplates.update(template, other, LATER)).toEqual({ ok: true, value: template });
    const changed = { ...other, id: template.id, version: 2, changedAtMs: LATER.atMs, changedBy: 'bob' };
    expect(await stores.notifyTemplates.find(template.id)).toEqual(changed);
    expect(await stores.notifyTemplates.all()).toEqual([changed]);
  });

  it('lists by name, kind and time, and finds by name and kind', async () => {
    await added({ name: 'beta', kind: 'sms' });
    await added({ name: 'Alpha', kind: 'push' });
    await added({ name: 'gamma%', kind: 'email' });
    expect(await names({})).toEqual(['Alpha', 'beta', 'gamma%']);
    expect(await names({ sort: 'kind' })).toEqual(['gamma%', 'beta', 'Alpha']);
    expect(await names({ sort: 'changedAtMs' })).toEqual(['beta', 'Alpha', 'gamma%']);
    expect(await names({ search: 'ALPH' })).toEqual(['Alpha']);
    expect(await names({ search: '%' })).toEqual(['gamma%']);
    expect(await names({ kind: 'sms' })).toEqual(['beta']);
  });

  it('changes nothing of a version that is outdated, of another kind, or of one that is not there', async () => {
    const template = await added();
    await stores.notifyTemplates.update(template, templateContent({ name: 'A' }), CHANGE);
    const { notifyTemplates } = stores;
    expect(await notifyTemplates.update(template, templateContent(), CHANGE)).toEqual({
      ok: false,
      reason: 'conflict',
    });
    expect(await notifyTemplates.remove(template)).toEqual({ ok: false, reason: 'conflict' });
    const gone = { id: template.id + 1, version: 1 };
    expect(await notifyTemplates.update(gone, templateContent(), CHANGE)).toEqual({ ok: false, reason: 'gone' });
    expect(await notifyTemplates.remove(gone)).toEqual({ ok: false, reason: 'gone' });
    const current = { id: template.id, version: 2 };
    const sms = templateContent({ kind: 'sms' });
    expect(await notifyTemplates.update(current, sms, CHANGE)).toEqual({ ok: false, reason: 'kind' });
    expect(await notifyTemplates.find(template.id)).toMatchObject({ name: 'A', version: 2, kind: 'email' });
  });

  it('lets one of two changes at once win', async () => {
    const template = await added();
    const change = (name: string) => stores.notifyTemplates.update(template, templateContent({ name }), CHANGE);
    const answers = await Promise.all([change('A'), change('B')]);
    expect(answers.map((answer) => (answer.ok ? 'done' : answer.reason)).sort()).toEqual(['conflict', 'done']);
  });

  it('removes one that no rule uses, and keeps one that a step of a rule uses', async () => {
    const [used, free] = [await added({ name: 'used' }), await added({ name: 'free' })];
    await addRule(used.id);
    expect(await stores.notifyTemplates.remove(used)).toEqual({ ok: false, reason: 'used' });
    expect(await stores.notifyTemplates.remove(free)).toEqual({ ok: true, value: free });
    expect(await names({})).toEqual(['used']);
  });

  it('takes so many and no more', async () => {
    const texts = JSON.stringify(templateContent().texts);
    const row = { kind: 0, fallback: 'en', texts, changed_at_ms: 1, changed_by: 'ann' };
    const rows = Array.from({ length: TEMPLATES_LIMIT.max - 1 }, (_, index) => ({ ...row, name: `t${index}` }));
    await database.db.insertInto('notify_template').values(rows).execute();
    await added();
    expect(await stores.notifyTemplates.add(templateContent(), CHANGE)).toEqual({ ok: false, reason: 'too-many' });
  });
});

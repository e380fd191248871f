// The only module that knows `notify_template`: how messages are worded.
import { type Selectable, sql } from 'kysely';
import {
  MAX_TEMPLATES,
  type Template,
  type TemplateContent,
  type TemplateSort,
  type TemplateTexts,
} from '../../../shared/protocol/api/notify/templates.ts';
import { LOCALES } from '../../../shared/protocol/locale.ts';
import { SENDER_KINDS, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  listPage,
  mapRows,
  numberColumn,
  type PageRequest,
  type SortKey,
  textKey,
} from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import type { NotifyTemplateTable } from './tables.ts';
import { rulesUsing } from './templateUse.ts';

interface TemplateListQuery extends PageRequest<TemplateSort> {
  readonly search: string;
  readonly kind?: SenderKind | undefined;
}

interface TemplateVersion {
  readonly id: number;
  readonly version: number;
}

/** Who changed it, as they are called now, and when. */
interface TemplateChange {
  readonly by: string;
  readonly atMs: WallMs;
}

/** `kind`: that of a template never changes, because rules use it with senders of this kind. */
type TemplateRefusal = 'gone' | 'conflict' | 'kind';

export interface NotifyTemplateStore {
  /** Undefined when the position is none of such a list. */
  page(query: TemplateListQuery): Promise<FoundPage<Template> | undefined>;
  /** By name. */
  all(): Promise<Template[]>;
  find(id: number): Promise<Template | undefined>;
  add(content: TemplateContent, change: TemplateChange): Promise<Outcome<Template, 'too-many'>>;
  /** Gives the template as it was before. */
  update(
    of: TemplateVersion,
    content: TemplateContent,
    change: TemplateChange,
  ): Promise<Outcome<Template, TemplateRefusal>>;
  /** Gives the template that was removed. One that rules use stays. */
  remove(of: TemplateVersion): Promise<Outcome<Template, 'gone' | 'conflict' | 'used'>>;
}

/** Templates of messages. A further one is refused with 409 `too-many-templates`. */
export const TEMPLATES_LIMIT: Limit = { name: 'notify.templates.all', max: MAX_TEMPLATES };

const ORDER = {
  name: textKey(sql`lower(notify_template.name)`),
  kind: numberColumn('notify_template.kind'),
  changedAtMs: numberColumn('notify_template.changed_at_ms'),
} as const satisfies Record<TemplateSort, SortKey>;

/** `reading`: for lists. */
export function createNotifyTemplateStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): NotifyTemplateStore {
  return {
    page: (query) => pageOfTemplates(reading, query),
    all: async () => {
      const all = db.selectFrom('notify_template').selectAll();
      return (await all.orderBy(sql`lower(name)`).orderBy('id').execute()).map(toTemplate);
    },
    find: (id) => findTemplate(db, id),
    add: (content, change) => addTemplate(db, { content, change, onLimit }),
    update: (of, content, { by, atMs }) =>
      changed<'kind'>(db, of, async (work, known) => {
        if (content.kind !== known.kind) return { ok: false, reason: 'kind' };
        const columns = { ...toRow(content), changed_at_ms: atMs, changed_by: by, version: of.version + 1 };
        await work.updateTable('notify_template').set(columns).where('id', '=', of.id).execute();
        return { ok: true, value: known };
      }),
    remove: (of) =>
      changed<'used'>(db, of, async (work, known) => {
        if ((await rulesUsing(work, of.id)).length > 0) return { ok: false, reason: 'used' };
        await work.deleteFrom('notify_template').where('id', '=', of.id).execute();
        return { ok: true, value: known };
      }),
  };
}

async function pageOfTemplates(db: StoreDb, query: TemplateListQuery): Promise<FoundPage<Template> | undefined> {
  const found = searchIn(['notify_template.name'], query.search);
  let rows = db.selectFrom('notify_template').selectAll();
  if (found !== undefined) rows = rows.where(found);
  if (query.kind !== undefined) rows = rows.where('kind', '=', SENDER_KINDS.indexOf(query.kind));
  const keys = [ORDER[query.sort], numberColumn('notify_template.id')];
  return mapRows(await listPage(db, { rows, keys }, query), toTemplate);
}

async function findTemplate(db: StoreDb, id: number): Promise<Template | undefined> {
  const row = await db.selectFrom('notify_template').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toTemplate(row);
}

interface Adding {
  readonly content: TemplateContent;
  readonly change: TemplateChange;
  readonly onLimit: OnLimit | undefined;
}

async function addTemplate(db: StoreDb, { content, change, onLimit }: Adding): Promise<Outcome<Template, 'too-many'>> {
  const counting = db.selectFrom('notify_template').select((eb) => eb.fn.countAll().as('count'));
  const { count } = await counting.executeTakeFirstOrThrow();
  if (Number(count) >= TEMPLATES_LIMIT.max) {
    onLimit?.(TEMPLATES_LIMIT);
    return { ok: false, reason: 'too-many' };
  }
  const row = { ...toRow(content), changed_at_ms: change.atMs, changed_by: change.by };
  const insert = db.insertInto('notify_template').values(row).returningAll();
  return { ok: true, value: toTemplate(await insert.executeTakeFirstOrThrow()) };
}

/** Runs a change of the template as it was read, unless another has been first. */
function changed<Refusal>(
  db: StoreDb,
  { id, version }: TemplateVersion,
  change: (work: StoreDb, known: Template) => Promise<Outcome<Template, Refusal>>,
): Promise<Outcome<Template, 'gone' | 'conflict' | Refusal>> {
  return db.transaction().execute(async (work) => {
    // Writes first, so that no other change comes between.
    const lock = work
      .updateTable('notify_template')
      .set(({ ref }) => ({ id: ref('id') }))
      .where('id', '=', id);
    const row = await lock.returningAll().executeTakeFirst();
    if (row === undefined) return { ok: false, reason: 'gone' };
    return row.version === version ? change(work, toTemplate(row)) : { ok: false, reason: 'conflict' };
  });
}

function toRow({ name, kind, fallback, texts }: TemplateContent) {
  return { name, kind: SENDER_KINDS.indexOf(kind), fallback, texts: JSON.stringify(texts) };
}

function toTemplate(row: Selectable<NotifyTemplateTable>): Template {
  return {
    id: row.id,
    version: row.version,
    name: row.name,
    kind: SENDER_KINDS[row.kind] ?? 'email',
    fallback: LOCALES.find((locale) => locale === row.fallback) ?? 'en',
    texts: JSON.parse(row.texts) as TemplateTexts,
    changedAtMs: wallMs(row.changed_at_ms),
    changedBy: row.changed_by,
  };
}

// What members do with the templates of messages, which belong to no member group.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type {
  Template,
  TemplateContent,
  TemplateText,
  TemplateTexts,
} from '../../../shared/protocol/api/notify/templates.ts';
import { LOCALES } from '../../../shared/protocol/locale.ts';
import {
  hasSubject,
  type TemplateProblems,
  templateProblems,
} from '../../../shared/protocol/notify/templateProblems.ts';
import { type ActTrailDeps, createActTrail } from '../../records/actTrail.ts';
import { type Actor, type RecordRefusal, refusalOfFields } from '../../records/recordActs.ts';
import type { NotifyTemplateStore } from '../../store/notify/notifyTemplates.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';

export type TemplateRefusal =
  | RecordRefusal<Template>
  /** Texts that can't be filled. */
  | { readonly kind: 'texts'; readonly problems: TemplateProblems }
  /** Rules use it. */
  | { readonly kind: 'used' };

type TemplateOutcome = Promise<Outcome<Template, TemplateRefusal>>;

export interface TemplateActs {
  add(actor: Actor, content: TemplateContent): TemplateOutcome;
  change(actor: Actor, named: RecordVersion, content: TemplateContent): TemplateOutcome;
  remove(actor: Actor, named: RecordVersion): TemplateOutcome;
}

export interface TemplateActsDeps extends ActTrailDeps {
  readonly store: Pick<NotifyTemplateStore, 'all' | 'find' | 'add' | 'update' | 'remove'>;
}

export function createTemplateActs({ store, ...trail }: TemplateActsDeps): TemplateActs {
  const leaveTrail = createActTrail(['template'], trail);
  const changeBy = ({ username }: Actor) => ({ by: username, atMs: trail.now() });
  const isThere = async (id: number) => (await store.find(id)) !== undefined;
  const refused = async (reason: 'gone' | 'conflict' | 'kind' | 'used', id: number): Promise<TemplateRefusal> => {
    switch (reason) {
      case 'used':
      case 'gone':
        return { kind: reason };
      case 'kind':
        return { kind: 'fields', fields: { kind: 'not-allowed' } };
      case 'conflict': {
        const current = await store.find(id);
        return current === undefined ? { kind: 'gone' } : { kind: 'conflict', current };
      }
    }
  };
  return {
    add: async (actor, given) => {
      const content = tidyTemplate(given);
      const refusal = await refusalOf(content, undefined, store);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const added = await store.add(content, changeBy(actor));
      if (!added.ok) return { ok: false, reason: { kind: 'too-many' } };
      await leaveTrail(actor, { action: 'template.add', target: content.name, after: auditFieldsOf(content) });
      return added;
    },
    change: async (actor, named, given) => {
      const { id, version } = named;
      const content = tidyTemplate(given);
      const refusal = await refusalOf(content, id, store);
      if (refusal !== undefined) return { ok: false, reason: (await isThere(id)) ? refusal : { kind: 'gone' } };
      const { by, atMs } = changeBy(actor);
      const done = await store.update(named, content, { by, atMs });
      if (!done.ok) return { ok: false, reason: await refused(done.reason, id) };
      const [before, after] = [auditFieldsOf(done.value), auditFieldsOf(content)];
      await leaveTrail(actor, { action: 'template.change', target: done.value.name, before, after });
      return { ok: true, value: { ...content, id, version: version + 1, changedAtMs: atMs, changedBy: by } };
    },
    remove: async (actor, named) => {
      const done = await store.remove(named);
      if (!done.ok) return { ok: false, reason: await refused(done.reason, named.id) };
      const before = auditFieldsOf(done.value);
      await leaveTrail(actor, { action: 'template.remove', target: done.value.name, before });
      return done;
    },
  };
}

/** Languages without a text are left out, and subjects of kinds that have none are empty. Line breaks are one character. */
export function tidyTemplate({ name, kind, fallback, texts }: TemplateContent): TemplateContent {
  const tidied: TemplateTexts = Object.fromEntries(
    LOCALES.flatMap((locale) => {
      const text = texts[locale];
      if (text === undefined || isBlank(text)) return [];
      const subject = hasSubject(kind) ? text.subject.trim() : '';
      return [[locale, { subject, body: text.body.replace(/\r\n?/g, '\n') }]];
    }),
  );
  return { name: name.trim(), kind, fallback, texts: tidied };
}

function isBlank({ subject, body }: TemplateText): boolean {
  return subject.trim() === '' && body.trim() === '';
}

/** `id`: of the template that is changed; undefined for a new one. */
async function refusalOf(
  content: TemplateContent,
  id: number | undefined,
  store: Pick<NotifyTemplateStore, 'all'>,
): Promise<TemplateRefusal | undefined> {
  if (content.name === '') return refusalOfFields({ name: 'required' });
  const problems = templateProblems(content);
  if (Object.keys(problems).length > 0) return { kind: 'texts', problems };
  const others = (await store.all()).filter((other) => other.id !== id);
  const isTaken = others.some(({ name }) => name.toLowerCase() === content.name.toLowerCase());
  return isTaken ? { kind: 'taken', field: 'name' } : undefined;
}

/** Texts as the log can show them: by language. */
function auditFieldsOf({ name, kind, fallback, texts }: TemplateContent): AuditFields {
  const languages = LOCALES.flatMap((locale) => {
    const text = texts[locale];
    return text === undefined ? [] : [[locale, [text.subject, text.body].filter((part) => part !== '').join('\n')]];
  });
  return { name, kind, fallback, texts: Object.fromEntries(languages) };
}

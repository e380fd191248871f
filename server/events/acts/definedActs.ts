// What administrators do with what they define of events: the built-in entries, which stay and can be reset, and their own ones.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import {
  type Actor,
  auditNote,
  type RecordActsDeps,
  type RecordRefusal,
  refusalOfFields,
} from '../../records/recordActs.ts';
import type { AuditNote } from '../../store/audit/audit.ts';
import type { Outcome } from '../../store/outcome.ts';
import { newCustomCode } from '../types/customCode.ts';
import { isNameTaken } from '../types/definedNames.ts';

/** `last`: without any enabled reason, no event could be closed. `used`: events refer to it. */
export type DefinedFault = 'built-in' | 'not-built-in' | 'last' | 'used';
export type DefinedRefusal<Row> = RecordRefusal<Row, DefinedFault>;
type Answer<Row> = Promise<Outcome<Row, DefinedRefusal<Row>>>;

/** `Named`: the key of an entry with its version. */
export interface DefinedActs<Content, Row, Named> {
  add(actor: Actor, content: Content): Answer<Row>;
  change(actor: Actor, named: Named, content: Content): Answer<Row>;
  /** To the state of a new installation. */
  reset(actor: Actor, named: Named): Answer<Row>;
  remove(actor: Actor, named: Named): Answer<Row>;
}

export interface DefinedRules<Content, Row> {
  /** The audit's actions are `<subject>.add`, `.change`, `.reset` and `.remove`. */
  readonly subject: 'eventtype' | 'eventreason';
  readonly nameOf: (row: Row) => string;
  readonly tidy: (content: Content) => Content;
  /** A code for each wrong field. `known`: the entry that is changed. */
  readonly faultsOf: (content: Content, known: Row | undefined) => Readonly<Record<string, string>>;
  readonly auditFields: (content: Content) => AuditFields;
  /** The built-in entry as a new installation has it. */
  readonly builtIn: (code: string) => Content | undefined;
}

interface NewEntry {
  readonly code: string;
  readonly isBuiltIn: boolean;
}

export interface DefinedStore<Content, Row, Named> {
  all(): Promise<Row[]>;
  add(entry: Content & NewEntry, note: AuditNote): Promise<Outcome<Row, 'too-many'>>;
  update(
    named: Named,
    content: Content,
    note: (before: Row) => AuditNote,
  ): Promise<Outcome<Row, 'gone' | 'conflict' | 'last'>>;
  remove(named: Named, note: (before: Row) => AuditNote): Promise<Outcome<Row, 'gone' | 'conflict' | 'last' | 'used'>>;
}

export interface DefinedActsDeps<Content, Row, Named> extends Pick<RecordActsDeps<never, never>, 'now' | 'bus'> {
  readonly store: DefinedStore<Content, Row, Named>;
  readonly find: (named: Named) => Promise<Row | undefined>;
}

interface Versioned {
  readonly version: number;
}

export function createDefinedActs<
  Content extends { readonly nameEn: string },
  Row extends Content & NewEntry & Versioned,
  Named extends Versioned,
>(
  rules: DefinedRules<Content, Row>,
  { store, find, now, bus }: DefinedActsDeps<Content, Row, Named>,
): DefinedActs<Content, Row, Named> {
  const { subject, nameOf, tidy, auditFields } = rules;
  const told = async (actor: Actor, value: Row): Answer<Row> => {
    await bus.recordsChanged.publish({ kinds: ['eventtype'], memberGroup: actor.memberGroup });
    return { ok: true, value };
  };
  const refused = async (reason: 'gone' | 'conflict' | 'last' | 'used', named: Named): Answer<Row> => {
    if (reason === 'last' || reason === 'used') return refuse({ kind: 'own', code: reason });
    const current = reason === 'gone' ? undefined : await find(named);
    return refuse(current === undefined ? { kind: 'gone' } : { kind: 'conflict', current });
  };
  const changeTo = async (actor: Actor, named: Named, { act, content }: Change<Content>): Answer<Row> => {
    const done = await store.update(named, content, (known) => {
      const [before, after] = [auditFields(known), auditFields(content)];
      return auditNote(actor, now(), { action: `${subject}.${act}`, target: nameOf(known), before, after });
    });
    if (!done.ok) return refused(done.reason, named);
    return told(actor, { ...done.value, ...content, version: named.version + 1 });
  };
  return {
    add: async (actor, given) => {
      const content = tidy(given);
      const refusal = refusalOf(content, undefined, { rules, rows: await store.all() });
      if (refusal !== undefined) return refuse(refusal);
      const entry = { ...content, code: newCustomCode(), isBuiltIn: false };
      const noted = { action: `${subject}.add`, target: content.nameEn, after: auditFields(content) } as const;
      const added = await store.add(entry, auditNote(actor, now(), noted));
      return added.ok ? told(actor, added.value) : refuse({ kind: 'too-many' });
    },
    change: async (actor, named, given) => {
      const known = await find(named);
      if (known === undefined) return refuse({ kind: 'gone' });
      const content = tidy(given);
      const refusal = refusalOf(content, known, { rules, rows: await store.all() });
      return refusal === undefined ? changeTo(actor, named, { act: 'change', content }) : refuse(refusal);
    },
    reset: async (actor, named) => {
      const known = await find(named);
      if (known === undefined) return refuse({ kind: 'gone' });
      const content = rules.builtIn(known.code);
      if (content === undefined) return refuse({ kind: 'own', code: 'not-built-in' });
      return changeTo(actor, named, { act: 'reset', content });
    },
    remove: async (actor, named) => {
      const known = await find(named);
      if (known === undefined) return refuse({ kind: 'gone' });
      if (known.isBuiltIn) return refuse({ kind: 'own', code: 'built-in' });
      const done = await store.remove(named, (row) =>
        auditNote(actor, now(), { action: `${subject}.remove`, target: nameOf(row), before: auditFields(row) }),
      );
      return done.ok ? told(actor, done.value) : refused(done.reason, named);
    },
  };
}

interface Change<Content> {
  readonly act: 'change' | 'reset';
  readonly content: Content;
}

function refuse<Row>(reason: DefinedRefusal<Row>): { readonly ok: false; readonly reason: DefinedRefusal<Row> } {
  return { ok: false, reason };
}

interface Entries<Content, Row> {
  readonly rules: DefinedRules<Content, Row>;
  readonly rows: readonly Row[];
}

/** `known`: as it is kept; undefined for a new one. */
function refusalOf<Content extends { readonly nameEn: string }, Row extends NewEntry>(
  content: Content,
  known: Row | undefined,
  { rules, rows }: Entries<Content, Row>,
): DefinedRefusal<Row> | undefined {
  const refusal = refusalOfFields(rules.faultsOf(content, known));
  if (refusal !== undefined || content.nameEn === '') return refusal;
  const others = rows.filter(({ code }) => code !== known?.code);
  return isNameTaken(content.nameEn, others.map(rules.nameOf)) ? { kind: 'taken', field: 'nameEn' } : undefined;
}

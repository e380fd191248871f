// What members do with the versioned records of their group: checked, limited, written down and told, whoever asks for it.
import type { AuditFields } from '../../shared/protocol/api/audit.ts';
import type { RecordAuditSubject } from '../../shared/protocol/api/auditWords.ts';
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { AuditNote } from '../store/audit/audit.ts';
import type { AuditEntry } from '../store/audit/auditEntry.ts';
import type { Outcome } from '../store/outcome.ts';
import type { GroupRecordStore, RecordVersion } from '../store/records/groupRecords.ts';
import { changedFields } from './changedFields.ts';

/** The member who acts, in the member group of their session. */
export interface Actor {
  readonly userId: number;
  readonly username: string;
  readonly permissions: readonly string[];
  /** IP address; '' for none. */
  readonly address: string;
  readonly memberGroup: number;
}

/** Why a content can't be saved. `own`: a code that the kind of record has beside those of fields. */
export type ContentRefusal<Own extends string = never> =
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'own'; readonly code: Own };

/** What a kind of record has that the others have not. */
export interface RecordRules<Content, Row, Own extends string = never> {
  /** The audit's actions are `<subject>.add`, `.change` and `.remove`. */
  readonly subject: RecordAuditSubject;
  /** The name under which open pages and other parts hear of changes. */
  readonly kind: RecordKind;
  readonly nameOf: (row: Row) => string;
  /** Without what nobody means, such as blanks at the ends of texts. */
  readonly tidy: (content: Content) => Content;
  /** Runs before the transaction, so what it looks up may have changed by the time the record is written. */
  readonly check: (content: Content, actor: Actor) => Checked<Own> | Promise<Checked<Own>>;
  readonly auditFields: (row: Row) => AuditFields;
  /** The field that no two records of a group share, where the table has one. */
  readonly uniqueField?: string;
}

/** Undefined for a content that may be saved. */
type Checked<Own extends string> = ContentRefusal<Own> | undefined;

export type RecordRefusal<Row, Own extends string = never> =
  | ContentRefusal<Own>
  | { readonly kind: 'gone' }
  /** Somebody else changed it first; `current` is what it is by now. */
  | { readonly kind: 'conflict'; readonly current: Row }
  /** Another record of the group has this field's value. */
  | { readonly kind: 'taken'; readonly field: string }
  | { readonly kind: 'too-many' };

export interface RecordActs<Content, Row, Own extends string = never> {
  add(actor: Actor, content: Content): Promise<Outcome<Row, RecordRefusal<Row, Own>>>;
  change(actor: Actor, named: RecordVersion, content: Content): Promise<Outcome<Row, RecordRefusal<Row, Own>>>;
  remove(actor: Actor, named: RecordVersion): Promise<Outcome<Row, RecordRefusal<Row, Own>>>;
}

type Identified = Pick<RecordVersion, 'id'>;

export interface RecordActsDeps<Content, Row> {
  readonly store: Pick<GroupRecordStore<Content, Row, string, Actor>, 'find' | 'insert' | 'update' | 'remove'>;
  readonly now: () => WallMs;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
}

export function createRecordActs<Content, Row extends Identified, Own extends string = never>(
  { subject, kind, nameOf, tidy, check, auditFields, uniqueField = '' }: RecordRules<Content, Row, Own>,
  { store, now, bus }: RecordActsDeps<Content, Row>,
): RecordActs<Content, Row, Own> {
  type Refusal = RecordRefusal<Row, Own>;
  const editOf = ({ username }: Actor, content: Content) => ({ content, by: username, atMs: now() });
  const noteOf = (actor: Actor, change: NotedChange): AuditNote => auditNote(actor, now(), change);
  const tell = async ({ memberGroup }: Actor, { id }: Identified): Promise<void> => {
    await bus.recordsChanged.publish({ kinds: [kind], memberGroup, id });
  };
  const taken: Refusal = { kind: 'taken', field: uniqueField };
  /** Why the version that a member named can't be changed. */
  const refusalFor = async (actor: Actor, { id }: Identified): Promise<Refusal> => {
    const current = await store.find(id, actor);
    return current === undefined ? { kind: 'gone' } : { kind: 'conflict', current };
  };
  return {
    add: async (actor, given) => {
      const content = tidy(given);
      const refusal = await check(content, actor);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const added = await store.insert(actor, editOf(actor, content), (row) =>
        noteOf(actor, { action: `${subject}.add`, target: nameOf(row), after: auditFields(row) }),
      );
      if (!added.ok) return { ok: false, reason: added.reason === 'taken' ? taken : { kind: 'too-many' } };
      await tell(actor, added.value);
      return added;
    },
    change: async (actor, named, given) => {
      const content = tidy(given);
      const refusal = await check(content, actor);
      if (refusal !== undefined) {
        const isThere = (await store.find(named.id, actor)) !== undefined;
        return { ok: false, reason: isThere ? refusal : { kind: 'gone' } };
      }
      const done = await store.update({ ...actor, ...named }, editOf(actor, content), ({ before, after }) =>
        noteOf(actor, {
          action: `${subject}.change`,
          target: nameOf(after),
          before: auditFields(before),
          after: auditFields(after),
        }),
      );
      if (!done.ok) return { ok: false, reason: done.reason === 'taken' ? taken : await refusalFor(actor, named) };
      await tell(actor, named);
      return { ok: true, value: done.value.after };
    },
    remove: async (actor, named) => {
      const done = await store.remove({ ...actor, ...named }, (before) =>
        noteOf(actor, { action: `${subject}.remove`, target: nameOf(before), before: auditFields(before) }),
      );
      if (!done.ok) return { ok: false, reason: await refusalFor(actor, named) };
      await tell(actor, named);
      return done;
    },
  };
}

/** What an actor has done: both sides of a change whole, or the one that there is. */
export type NotedChange = Omit<AuditEntry, 'actor' | 'address'>;

/** The audit's note of it. Only the fields that differ are kept of a change. */
export function auditNote({ username, address }: Actor, at: WallMs, change: NotedChange): AuditNote {
  const { before, after } = change;
  const sides = before === undefined || after === undefined ? {} : changedFields(before, after);
  return { entry: { actor: username, address, ...change, ...sides }, at };
}

/** A code for each field that isn't as it must be; undefined for none. */
export function refusalOfFields(
  fields: Readonly<Record<string, string>>,
): Extract<ContentRefusal, { readonly kind: 'fields' }> | undefined {
  return Object.keys(fields).length === 0 ? undefined : { kind: 'fields', fields };
}

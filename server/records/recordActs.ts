// What members do with the versioned records of their group: checked, limited, written down and told, whoever asks for it.
import type { AuditFields } from '../../shared/protocol/api/audit.ts';
import type { RecordAuditSubject } from '../../shared/protocol/api/auditWords.ts';
import type { RecordKind } from '../../shared/protocol/api/liveUpdates.ts';
import type { WallMs } from '../../shared/protocol/time.ts';
import type { ChangeBus } from '../bus/changeBus.ts';
import type { AuditNote } from '../store/audit/audit.ts';
import type { AuditEntry } from '../store/audit/auditEntry.ts';
import type { Outcome } from '../store/outcome.ts';
import type { GroupRecordStore, NamedVersion } from '../store/records/groupRecords.ts';
import { changedFields } from './changedFields.ts';

/** The member who acts, as the audit names them. */
export interface Actor {
  readonly username: string;
  /** IP address; '' for none. */
  readonly address: string;
  readonly memberGroup: number;
}

/** What a kind of record has that the others have not. */
export interface RecordRules<Content, Row> {
  /** The audit's actions are `<subject>.add`, `.change` and `.remove`. */
  readonly subject: RecordAuditSubject;
  /** The name under which open pages and other parts hear of changes. */
  readonly kind: RecordKind;
  readonly nameOf: (content: Content) => string;
  /** Without what nobody means, such as blanks at the ends of texts. */
  readonly tidy: (content: Content) => Content;
  /** A code for each field that isn't as it must be. */
  readonly check: (content: Content) => Readonly<Record<string, string>>;
  readonly auditFields: (content: Content | Row) => AuditFields;
  /** The field that no two records of a group share, where the table has one. */
  readonly uniqueField?: string;
}

export type RecordRefusal<Row> =
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'gone' }
  /** Somebody else changed it first; `current` is what it is by now. */
  | { readonly kind: 'conflict'; readonly current: Row }
  /** Another record of the group has this field's value. */
  | { readonly kind: 'taken'; readonly field: string }
  | { readonly kind: 'too-many' };

export interface RecordActs<Content, Row> {
  add(actor: Actor, content: Content): Promise<Outcome<Row, RecordRefusal<Row>>>;
  change(actor: Actor, named: Version, content: Content): Promise<Outcome<Row, RecordRefusal<Row>>>;
  remove(actor: Actor, named: Version): Promise<Outcome<Row, RecordRefusal<Row>>>;
}

type Version = Pick<NamedVersion, 'id' | 'version'>;

export interface RecordActsDeps<Content, Row> {
  readonly store: Pick<GroupRecordStore<Content, Row, string>, 'find' | 'insert' | 'update' | 'remove'>;
  readonly now: () => WallMs;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
}

export function createRecordActs<Content, Row extends Content>(
  { subject, kind, nameOf, tidy, check, auditFields, uniqueField = '' }: RecordRules<Content, Row>,
  { store, now, bus }: RecordActsDeps<Content, Row>,
): RecordActs<Content, Row> {
  const noteOf = ({ username, address }: Actor, change: Omit<AuditEntry, 'actor' | 'address'>): AuditNote => ({
    entry: { actor: username, address, ...change },
    at: now(),
  });
  const tell = async (memberGroup: number): Promise<void> => {
    await bus.recordsChanged.publish({ kinds: [kind], memberGroup });
  };
  const taken: RecordRefusal<Row> = { kind: 'taken', field: uniqueField };
  /** Undefined for a content that may be saved. */
  const refusalOf = (content: Content): RecordRefusal<Row> | undefined => {
    const fields = check(content);
    return Object.keys(fields).length > 0 ? { kind: 'fields', fields } : undefined;
  };
  /** Why the version that a member named can't be changed. */
  const refusalFor = async ({ id, memberGroup }: NamedVersion): Promise<RecordRefusal<Row>> => {
    const current = await store.find(id, memberGroup);
    return current === undefined ? { kind: 'gone' } : { kind: 'conflict', current };
  };
  return {
    add: async (actor, given) => {
      const content = tidy(given);
      const refusal = refusalOf(content);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const added = await store.insert(actor.memberGroup, content, () =>
        noteOf(actor, { action: `${subject}.add`, target: nameOf(content), after: auditFields(content) }),
      );
      if (!added.ok) {
        return { ok: false, reason: added.reason === 'taken' ? taken : { kind: 'too-many' } };
      }
      await tell(actor.memberGroup);
      return added;
    },
    change: async (actor, version, given) => {
      const content = tidy(given);
      const named = { ...version, memberGroup: actor.memberGroup };
      const refusal = refusalOf(content);
      if (refusal !== undefined) {
        const isThere = (await store.find(named.id, named.memberGroup)) !== undefined;
        return { ok: false, reason: isThere ? refusal : { kind: 'gone' } };
      }
      const done = await store.update(named, content, ({ before, after }) =>
        noteOf(actor, {
          action: `${subject}.change`,
          target: nameOf(content),
          ...changedFields(auditFields(before), auditFields(after)),
        }),
      );
      if (!done.ok) return { ok: false, reason: done.reason === 'taken' ? taken : await refusalFor(named) };
      await tell(actor.memberGroup);
      return { ok: true, value: done.value.after };
    },
    remove: async (actor, version) => {
      const named = { ...version, memberGroup: actor.memberGroup };
      const done = await store.remove(named, (before) =>
        noteOf(actor, { action: `${subject}.remove`, target: nameOf(before), before: auditFields(before) }),
      );
      if (!done.ok) return { ok: false, reason: await refusalFor(named) };
      await tell(actor.memberGroup);
      return done;
    },
  };
}

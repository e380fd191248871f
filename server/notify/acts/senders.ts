// What members do with senders, which belong to the installation. Their secrets go in and never come out.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { SenderContent } from '../../../shared/protocol/api/notify/senders.ts';
import { type ActTrailDeps, createActTrail } from '../../records/actTrail.ts';
import { type Actor, type RecordRefusal, refusalOfFields } from '../../records/recordActs.ts';
import type { ListedSender, NotifySenderStore, SenderFields, StoredSender } from '../../store/notify/notifySenders.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import { type SecretBox, senderContext, sha256Hex } from '../senders/secretBox.ts';
import { faultsOfSender, tidySender } from '../senders/senderChecks.ts';

export type SenderRefusal =
  | RecordRefusal<ListedSender>
  /** A rule uses it. */
  | { readonly kind: 'used' };

export interface SenderActs {
  add(actor: Actor, content: SenderContent): Promise<Outcome<ListedSender, SenderRefusal>>;
  /** A secret that is left out stays. */
  change(actor: Actor, named: RecordVersion, content: SenderContent): Promise<Outcome<ListedSender, SenderRefusal>>;
  remove(actor: Actor, named: RecordVersion): Promise<Outcome<StoredSender, SenderRefusal>>;
}

export interface SenderActsDeps extends ActTrailDeps {
  readonly store: Pick<NotifySenderStore, 'find' | 'insert' | 'update' | 'remove'>;
  readonly secretBox: Pick<SecretBox, 'seal'>;
}

export function createSenderActs({ store, secretBox, ...trail }: SenderActsDeps): SenderActs {
  const leaveTrail = createActTrail(['sender'], trail);
  const sealed = (secret: string, id: number) => (secret === '' ? '' : secretBox.seal(secret, senderContext(id)));
  const refused = async (reason: 'gone' | 'conflict' | 'used', id: number): Promise<SenderRefusal> => {
    if (reason !== 'conflict') return { kind: reason };
    const current = await store.find(id);
    return current === undefined ? { kind: 'gone' } : { kind: 'conflict', current };
  };
  return {
    add: async (actor, given) => {
      const { secret = '', ...fields } = tidySender(given);
      const refusal = refusalOfFields(faultsOfSender({ ...fields, secret }, undefined));
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const added = await store.insert(fields, (id) => sealed(secret, id));
      if (!added.ok) return { ok: false, reason: { kind: 'too-many' } };
      const after = auditFieldsOf(fields, secret === '' ? 'none' : 'set');
      await leaveTrail(actor, { action: 'sender.add', target: fields.name, after });
      return added;
    },
    change: async (actor, named, given) => {
      const { id, version } = named;
      const known = await store.find(id);
      if (known === undefined) return { ok: false, reason: { kind: 'gone' } };
      if (known.version !== version) return { ok: false, reason: { kind: 'conflict', current: known } };
      const content = tidySender(given);
      const refusal = refusalOfFields(faultsOfSender(content, known));
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const { secret, ...fields } = content;
      const done = await store.update(named, fields, secret === undefined ? undefined : sealed(secret, id));
      if (!done.ok) return { ok: false, reason: await refused(done.reason, id) };
      await leaveTrail(actor, {
        action: 'sender.change',
        target: fields.name,
        before: auditFieldsOf(done.value, secretStateOf(done.value)),
        after: auditFieldsOf(fields, changedSecret(secret, done.value)),
      });
      const changed = await store.find(id);
      return changed === undefined ? { ok: false, reason: { kind: 'gone' } } : { ok: true, value: changed };
    },
    remove: async (actor, named) => {
      const done = await store.remove(named);
      if (!done.ok) return { ok: false, reason: await refused(done.reason, named.id) };
      const before = auditFieldsOf(done.value, secretStateOf(done.value));
      await leaveTrail(actor, { action: 'sender.remove', target: done.value.name, before });
      return done;
    },
  };
}

/** What the audit says of the secret. */
type SecretState = 'none' | 'set' | 'changed';

function secretStateOf({ sealedSecret }: StoredSender): SecretState {
  return sealedSecret === '' ? 'none' : 'set';
}

function changedSecret(secret: string | undefined, known: StoredSender): SecretState {
  if (secret === undefined) return secretStateOf(known);
  return secret === '' ? 'none' : 'changed';
}

/** Addresses of services, values of headers and bodies often hold credentials, and others may read the audit. */
function auditFieldsOf(fields: SenderFields, secret: SecretState): AuditFields {
  const { name, kind, enabled, perMinute, settings } = fields;
  const { url, headers, body, ...plain } = settings;
  return {
    name,
    kind,
    enabled,
    perMinute,
    secret,
    settings: {
      ...plain,
      ...(typeof url === 'string' ? { url: maskedUrl(url) } : {}),
      ...(Array.isArray(headers) ? { headers: (headers as readonly HeaderSetting[]).map(maskedHeader) } : {}),
      ...(typeof body === 'string' && body !== '' ? { body: `… (${markOf(body)})` } : {}),
    },
  };
}

interface HeaderSetting {
  readonly name: string;
  readonly value: string;
}

/** The URL with a mark that distinguishes two addresses of the same site. */
function maskedUrl(url: string): string {
  return `${new URL(url).origin}/… (${markOf(url)})`;
}

function maskedHeader({ name, value }: HeaderSetting): string {
  return `${name} (${markOf(value)})`;
}

function markOf(text: string): string {
  return sha256Hex(text).slice(0, 8);
}

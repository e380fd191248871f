// The only module that knows the `link_credential` table. Secrets come in as hashes; nobody can read them back.
import type { LinkKind } from '../../../shared/protocol/api/links.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';

export type { LinkKind };

const LinkKindBit: Readonly<Record<LinkKind, number>> = { live: 1, playback: 2, remote: 4, export: 8, control: 16 };

export interface LinkCredential {
  readonly id: number;
  readonly ownerId: number;
  readonly deviceId: string;
  /** Bit 0 is channel 1. */
  readonly channelMask: number;
  readonly kinds: ReadonlySet<LinkKind>;
  /** 0: never. */
  readonly expiresAtMs: WallMs;
  /** 0: active. */
  readonly revokedAtMs: WallMs;
  /** Set for credentials that our own pages open links with: they end with the session. */
  readonly sessionIdHash: string | undefined;
  readonly createdAtMs: WallMs;
}

export interface NewLinkCredential {
  readonly secretHash: string;
  readonly ownerId: number;
  readonly deviceId: string;
  readonly channelMask: number;
  readonly kinds: readonly LinkKind[];
  readonly expiresAtMs?: WallMs;
  readonly sessionIdHash?: string;
  /** What the link is for. */
  readonly note?: string;
}

/** A credential, with everything that decides whether it still opens anything now. */
export interface LinkWithOwner {
  readonly credential: LinkCredential;
  readonly ownerName: string;
  readonly ownerDisabled: boolean;
  /** 0: never. */
  readonly ownerExpiresAtMs: WallMs;
  /** The session that the credential ends with. */
  readonly session: LinkSession | undefined;
}

interface LinkSession {
  readonly memberGroup: number | undefined;
  /** The earlier of the session's two ends. */
  readonly endsAtMs: WallMs;
}

export interface LinkCredentialStore {
  /** Gives the new credential's id. */
  insert(credential: NewLinkCredential, at: WallMs): Promise<number>;
  /** For secrets that are made identically again: does nothing when the credential exists. */
  ensure(credential: NewLinkCredential, at: WallMs): Promise<void>;
  findBySecretHash(secretHash: string): Promise<LinkWithOwner | undefined>;
  /** The owner's share links for people, newest first; credentials of sessions are left out. */
  listOfOwner(ownerId: number): Promise<LinkCredential[]>;
  revoke(id: number, at: WallMs): Promise<boolean>;
  /** How many of the owner's share links for people are active. */
  countInForce(ownerId: number, at: WallMs): Promise<number>;
}

export function createLinkCredentialStore(db: StoreDb): LinkCredentialStore {
  return {
    insert: async (credential, at) => {
      const row = toRow(credential, at);
      return (await db.insertInto('link_credential').values(row).returning('id').executeTakeFirstOrThrow()).id;
    },
    ensure: async (credential, at) => {
      const insert = db.insertInto('link_credential').values(toRow(credential, at));
      await insert.onConflict((conflict) => conflict.column('secret_hash').doNothing()).execute();
    },
    findBySecretHash: async (secretHash) => {
      const row = await db
        .selectFrom('link_credential')
        .innerJoin('app_user', 'app_user.id', 'link_credential.owner_id')
        .leftJoin('session', 'session.id_hash', 'link_credential.session_id_hash')
        .selectAll('link_credential')
        .select(['app_user.username', 'app_user.disabled', 'app_user.expires_at_ms as owner_expires_at_ms'])
        .select(['session.member_group', 'session.idle_ends_at_ms', 'session.ends_at_ms'])
        .where('link_credential.secret_hash', '=', secretHash)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const owner = {
        ownerName: row.username,
        ownerDisabled: row.disabled !== 0,
        ownerExpiresAtMs: wallMs(row.owner_expires_at_ms),
      };
      return { credential: toCredential(row), ...owner, session: toLinkSession(row) };
    },
    listOfOwner: async (ownerId) => {
      const credentials = db.selectFrom('link_credential').selectAll().where('owner_id', '=', ownerId);
      const rows = await credentials.where('session_id_hash', 'is', null).orderBy('id', 'desc').execute();
      return rows.map(toCredential);
    },
    countInForce: async (ownerId, at) => {
      const { count } = await db
        .selectFrom('link_credential')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('owner_id', '=', ownerId)
        .where('session_id_hash', 'is', null)
        .where('revoked_at_ms', '=', 0)
        .where((is) => is.or([is('expires_at_ms', '=', 0), is('expires_at_ms', '>', at)]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    revoke: async (id, at) => {
      const credentials = db.updateTable('link_credential').set({ revoked_at_ms: at }).where('id', '=', id);
      return (await credentials.where('revoked_at_ms', '=', 0).executeTakeFirst()).numUpdatedRows > 0n;
    },
  };
}

interface LinkCredentialRow {
  readonly id: number;
  readonly owner_id: number;
  readonly device_id: string;
  readonly channel_mask: number;
  readonly kinds: number;
  readonly expires_at_ms: number;
  readonly revoked_at_ms: number;
  readonly session_id_hash: string | null;
  readonly created_at_ms: number;
}

function toRow(
  credential: NewLinkCredential,
  at: WallMs,
): Omit<LinkCredentialRow, 'id'> & { secret_hash: string; note: string } {
  return {
    secret_hash: credential.secretHash,
    owner_id: credential.ownerId,
    device_id: credential.deviceId,
    channel_mask: credential.channelMask,
    kinds: credential.kinds.reduce((bits, kind) => bits | LinkKindBit[kind], 0),
    note: credential.note ?? '',
    expires_at_ms: credential.expiresAtMs ?? 0,
    revoked_at_ms: 0,
    session_id_hash: credential.sessionIdHash ?? null,
    created_at_ms: at,
  };
}

function toLinkSession(row: {
  readonly member_group: number | null;
  readonly idle_ends_at_ms: number | null;
  readonly ends_at_ms: number | null;
}): LinkSession | undefined {
  if (row.idle_ends_at_ms === null || row.ends_at_ms === null) return undefined;
  const endsAtMs = wallMs(Math.min(row.idle_ends_at_ms, row.ends_at_ms));
  return { memberGroup: row.member_group ?? undefined, endsAtMs };
}

function toCredential(row: LinkCredentialRow): LinkCredential {
  return {
    id: row.id,
    ownerId: row.owner_id,
    deviceId: row.device_id,
    channelMask: row.channel_mask,
    kinds: new Set(linkKindsOf(row.kinds)),
    expiresAtMs: wallMs(row.expires_at_ms),
    revokedAtMs: wallMs(row.revoked_at_ms),
    sessionIdHash: row.session_id_hash ?? undefined,
    createdAtMs: wallMs(row.created_at_ms),
  };
}

/** The kinds for a row's bits, in the order of the table above. */
export function linkKindsOf(bits: number): readonly LinkKind[] {
  return (Object.keys(LinkKindBit) as LinkKind[]).filter((kind) => (bits & LinkKindBit[kind]) !== 0);
}

import type { WallMs } from '../../../shared/protocol/time.ts';

export interface AuditEntry {
  /** The user name; '' when nobody was signed in, and for a sign-in under a name that nobody has. */
  readonly actor: string;
  /** What happened, as `subject.event`: `session.begin`, `session.refused`, `password.change`. */
  readonly action: string;
  readonly target?: string;
  readonly address?: string;
  /** Never a secret: these rows are shown and exported. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Of a record that was changed: the fields that differ, as they were and as they are. Of one that was made or removed all. */
  readonly before?: Readonly<Record<string, unknown>> | undefined;
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

export type AuditRecord = Required<Omit<AuditEntry, 'before' | 'after'>> &
  Pick<AuditEntry, 'before' | 'after'> & { readonly id: number; readonly atMs: WallMs };

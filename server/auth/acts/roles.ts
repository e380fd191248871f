// What members do with roles.

import type { RoleContent } from '../../../shared/protocol/api/accounts.ts';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { type Actor, refusalOfFields } from '../../records/recordActs.ts';
import type { RoleStore, StoredRole, RoleRefusal as StoreRefusal } from '../../store/accounts/roles.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { RecordVersion } from '../../store/records/groupRecords.ts';
import { holdsAll, type Actor as MembershipActor } from '../membershipRules.ts';
import { type AccountActsDeps, type AccountRefusal, findActing, noteAndTell } from './accountActs.ts';

export interface RoleActsDeps extends AccountActsDeps {
  readonly roles: Pick<RoleStore, 'find' | 'insert' | 'update' | 'remove'>;
}

export type RoleRefusal = AccountRefusal<StoredRole, 'built-in' | 'own-role' | 'in-use'>;

export interface RoleActs {
  add(actor: Actor, content: RoleContent): Promise<Outcome<StoredRole, RoleRefusal>>;
  change(actor: Actor, named: RecordVersion, content: RoleContent): Promise<Outcome<StoredRole, RoleRefusal>>;
  remove(actor: Actor, named: RecordVersion): Promise<Outcome<StoredRole, RoleRefusal>>;
}

const NEEDED = [Permission.System, Permission.Member];

export function createRoleActs(deps: RoleActsDeps): RoleActs {
  const { roles } = deps;
  return {
    add: async (actor, given) => {
      const content = tidy(given);
      const acting = await findActing(actor, NEEDED, deps);
      if (!acting.ok) return acting;
      const refusal = refusalOfContent(content, acting.value);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const added = await roles.insert(content);
      if (!added.ok) return { ok: false, reason: { kind: 'taken', field: 'name' } };
      await noteAndTell(actor, { action: 'role.add', target: content.name, after: auditFieldsOf(content) }, deps);
      return { ok: true, value: await getRole(added.value, deps) };
    },
    change: async (actor, { id, version }, given) => {
      const content = tidy(given);
      const editable = await findEditable(actor, id, deps);
      if (!editable.ok) return editable;
      const { known, acting } = editable.value;
      const refusal = refusalOfContent(content, acting);
      if (refusal !== undefined) return { ok: false, reason: refusal };
      const done = await roles.update(id, version, content);
      if (!done.ok) return { ok: false, reason: await refusalFor(id, done.reason, deps) };
      const name = known.builtIn === '' ? content.name : known.name;
      const [before, after] = [auditFieldsOf(done.value), auditFieldsOf({ ...content, name })];
      await noteAndTell(actor, { action: 'role.change', target: known.name, before, after }, deps);
      return { ok: true, value: await getRole(id, deps) };
    },
    remove: async (actor, { id, version }) => {
      const editable = await findEditable(actor, id, deps);
      if (!editable.ok) return editable;
      const { known } = editable.value;
      if (known.builtIn !== '') return { ok: false, reason: { kind: 'built-in' } };
      const done = await roles.remove(id, version);
      if (!done.ok) return { ok: false, reason: await refusalFor(id, done.reason, deps) };
      await noteAndTell(actor, { action: 'role.remove', target: known.name, before: auditFieldsOf(done.value) }, deps);
      return done;
    },
  };
}

/** Why the actor can't change the role; undefined where they can, as far as the role goes. */
export function refusalOfRole(
  role: StoredRole,
  acting: MembershipActor,
): { readonly kind: 'built-in' | 'own-role' | 'beyond-own' } | undefined {
  if (role.builtIn === 'administrator') return { kind: 'built-in' };
  if (role.id === acting.role) return { kind: 'own-role' };
  return holdsAll(acting.permissions, role.permissions) ? undefined : { kind: 'beyond-own' };
}

function tidy(content: RoleContent): RoleContent {
  return { ...content, name: content.name.trim() };
}

function refusalOfContent({ name, permissions }: RoleContent, acting: MembershipActor) {
  return refusalOfFields({
    ...(name === '' ? { name: 'required' } : {}),
    ...(holdsAll(acting.permissions, permissions) ? {} : { permissions: 'beyond-own' }),
  });
}

interface Editable {
  readonly known: StoredRole;
  readonly acting: MembershipActor;
}

async function findEditable(actor: Actor, id: number, deps: RoleActsDeps): Promise<Outcome<Editable, RoleRefusal>> {
  const acting = await findActing(actor, NEEDED, deps);
  if (!acting.ok) return acting;
  const known = await deps.roles.find(id);
  if (known === undefined) return { ok: false, reason: { kind: 'gone' } };
  const refusal = refusalOfRole(known, acting.value);
  return refusal === undefined ? { ok: true, value: { known, acting: acting.value } } : { ok: false, reason: refusal };
}

async function refusalFor(id: number, reason: StoreRefusal, { roles }: RoleActsDeps): Promise<RoleRefusal> {
  if (reason === 'taken') return { kind: reason, field: 'name' };
  if (reason !== 'conflict') return { kind: reason };
  const current = await roles.find(id);
  return current === undefined ? { kind: 'gone' } : { kind: reason, current };
}

async function getRole(id: number, { roles }: RoleActsDeps): Promise<StoredRole> {
  const role = await roles.find(id);
  if (role === undefined) throw new Error(`the role ${id} is gone`);
  return role;
}

function auditFieldsOf({ name, permissions, secondFactorRequired }: RoleContent): AuditFields {
  return { name, permissions: [...permissions].sort(), secondFactorRequired };
}

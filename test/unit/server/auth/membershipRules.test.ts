import { describe, expect, it } from 'vitest';
import {
  type Actor,
  faultsOfChange,
  faultsOfNew,
  isAdministrator,
  mayEdit,
  mayPlace,
  type Subject,
  sees,
  type Wanted,
} from '../../../../server/auth/membershipRules.ts';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';

const actor = (permissions: readonly string[], groups: readonly number[] = [1, 2]): Actor => ({
  id: 1,
  role: 7,
  permissions,
  groups,
});
const manager = actor(['member', 'event', 'link']);
const chief = actor(['system', 'member', 'event', 'link']);
const administrator = actor(ALL_PERMISSIONS);

const subject = (more: Partial<Subject> = {}): Subject => ({
  id: 2,
  permissions: ['event'],
  role: 8,
  groups: [1, 9],
  disabled: false,
  expiresAtMs: 0,
  wallMonitorAllowed: false,
  ...more,
});
const wanted = (more: Partial<Wanted> = {}): Wanted => ({
  role: { id: 8, permissions: ['event'] },
  groups: [1],
  disabled: false,
  expiresAtMs: 0,
  wallMonitorAllowed: false,
  ...more,
});

describe('who is seen', () => {
  it('without system: who shares a group, and oneself; with it: everybody', () => {
    expect(sees(manager, subject())).toBe(true);
    expect(sees(manager, subject({ groups: [9] }))).toBe(false);
    expect(sees(manager, subject({ groups: [] }))).toBe(false);
    expect(sees(manager, subject({ id: 1, groups: [] }))).toBe(true);
    expect(sees(chief, subject({ groups: [] }))).toBe(true);
  });

  it('is changed only by who may do as much', () => {
    const near = { groups: [1] };
    expect(mayEdit(manager, subject({ ...near, permissions: ['event', 'link'] }))).toBe(true);
    expect(mayEdit(manager, subject({ ...near, permissions: ['event', 'audit'] }))).toBe(false);
    expect(mayEdit(chief, subject({ permissions: ALL_PERMISSIONS }))).toBe(false);
    expect(mayEdit(administrator, subject({ permissions: ALL_PERMISSIONS }))).toBe(true);
    expect(mayEdit(manager, subject({ groups: [9] }))).toBe(false);
  });

  it('is changed only by who sees as much; the own groups are another matter', () => {
    expect(mayEdit(manager, subject({ groups: [1, 9] }))).toBe(false);
    expect(mayEdit(chief, subject({ groups: [1, 9] }))).toBe(true);
    expect(mayPlace(manager, subject({ groups: [1, 9] }))).toBe(true);
    expect(mayPlace(manager, subject({ groups: [9] }))).toBe(false);
    expect(mayPlace(manager, subject({ groups: [1, 9], permissions: ['audit'] }))).toBe(false);
  });
});

describe('what may be given', () => {
  it('is no role that may do more than the giver', () => {
    expect(faultsOfNew(chief, wanted())).toEqual({});
    expect(faultsOfNew(chief, wanted({ role: { id: 3, permissions: ['audit'] } }))).toEqual({ role: 'beyond-own' });
    expect(faultsOfNew(chief, wanted({ role: undefined }))).toEqual({ role: 'required' });
    expect(faultsOfChange(chief, subject(), wanted({ role: { id: 3, permissions: ['audit'] } }))).toEqual({
      role: 'beyond-own',
    });
  });

  it('is no group beyond the own ones, and at least one of these, without system', () => {
    expect(faultsOfNew(manager, wanted({ groups: [1, 9] }))).toEqual({ groups: 'beyond-own' });
    expect(faultsOfNew(manager, wanted({ groups: [] }))).toEqual({ groups: 'required' });
    expect(faultsOfChange(manager, subject(), wanted({ groups: [9] }))).toEqual({ groups: 'beyond-own' });
    expect(faultsOfNew(chief, wanted({ groups: [9] }))).toEqual({});
    expect(faultsOfNew(chief, wanted({ groups: [] }))).toEqual({});
  });

  it('leaves what stays as it is alone', () => {
    expect(faultsOfChange(chief, subject({ role: undefined }), wanted({ role: undefined }))).toEqual({});
  });
});

describe('nobody raises themselves', () => {
  const own = subject({ id: 1, role: 7, groups: [1, 2] });
  const same = wanted({ role: { id: 7, permissions: chief.permissions }, groups: [2, 1] });

  it.each([chief, manager])('by role, groups, flags or expiry', (self) => {
    const change = (more: Partial<Wanted>) => faultsOfChange(self, own, { ...same, ...more });
    expect(change({})).toEqual({});
    expect(change({ role: { id: 8, permissions: [] } })).toEqual({ role: 'own-account' });
    expect(change({ role: undefined })).toEqual({ role: 'own-account' });
    expect(change({ groups: [1, 2, 3] })).toEqual({ groups: 'own-account' });
    expect(change({ groups: [1] })).toEqual({ groups: 'own-account' });
    expect(change({ disabled: true })).toEqual({ disabled: 'own-account' });
    expect(change({ expiresAtMs: 5 })).toEqual({ expiresAtMs: 'own-account' });
    expect(change({ wallMonitorAllowed: true })).toEqual({ wallMonitorAllowed: 'own-account' });
  });

  it('but who may do everything chooses the own groups', () => {
    const self = { ...same, groups: [5] };
    expect(faultsOfChange(administrator, own, self)).toEqual({});
    expect(faultsOfChange(administrator, own, { ...self, disabled: true })).toEqual({ disabled: 'own-account' });
    expect(isAdministrator(chief)).toBe(false);
    expect(isAdministrator(administrator)).toBe(true);
  });
});

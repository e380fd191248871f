import { describe, expect, it } from 'vitest';
import {
  checkGroup,
  draftOfGroup,
  groupOfDraft,
  NEW_GROUP,
} from '../../../../pages/innerpage/membership/groups/groupForm.ts';
import {
  checkMember,
  contentOf,
  draftOf,
  NEW_MEMBER,
  newMemberOf,
} from '../../../../pages/innerpage/membership/members/memberForm.ts';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { EditedGroup, Member } from '../../../../shared/protocol/api/accounts.ts';

const TEXTS = {
  noName: 'name',
  badName: 'bad',
  noRole: 'role',
  shortPassword: 'short',
  badTimestamp: 'moment',
  badEmail: 'mail',
  badPhone: 'number',
};

describe('the form of a member', () => {
  const member = readRecord(Member, {
    id: 3,
    username: 'ann',
    displayName: 'Ann',
    role: 2,
    groups: [4, 5],
    language: 'jp',
    timeZone: 'UTC',
    email: 'ann@example.com',
    phone: '+886912345678',
    expiresAtMs: 7,
    disabled: true,
    wallMonitorAllowed: true,
    version: 9,
    state: 'disabled',
    mayEdit: true,
  });

  it('sends back what it was given', () => {
    expect(contentOf(draftOf(member))).toEqual({
      displayName: 'Ann',
      role: 2,
      groups: [4, 5],
      language: 'jp',
      timeZone: 'UTC',
      email: 'ann@example.com',
      phone: '+886912345678',
      expiresAtMs: 7,
      disabled: true,
      wallMonitorAllowed: true,
    });
    expect(contentOf({ ...draftOf(member), expiresAtMs: null }).expiresAtMs).toBe(0);
  });

  it('sends a password only where one was asked for', () => {
    const draft = { ...NEW_MEMBER, username: ' ann ', role: '2', password: 'left behind' };
    expect(newMemberOf(draft)).toMatchObject({ username: 'ann' });
    expect(newMemberOf(draft)).not.toHaveProperty('password');
    expect(newMemberOf({ ...draft, entry: 'password' })).toMatchObject({ password: 'left behind' });
  });

  it('says what is missing, of somebody new more than of somebody known', () => {
    const problems = (part: Partial<typeof NEW_MEMBER>, isNew = true) =>
      Object.entries(checkMember({ ...NEW_MEMBER, username: 'ann', role: '1', ...part }, TEXTS, isNew))
        .filter(([, text]) => text !== undefined)
        .map(([name, text]) => `${name}: ${text}`);
    expect(problems({})).toEqual([]);
    expect(problems({ username: ' ' })).toEqual(['username: name']);
    expect(problems({ username: 'a/b' })).toEqual(['username: bad']);
    expect(problems({ role: '' })).toEqual(['role: role']);
    expect(problems({ entry: 'password', password: '1234567' })).toEqual(['password: short']);
    expect(problems({ expiresAtMs: Number.NaN })).toEqual(['expiresAtMs: moment']);
    expect(problems({ email: 'ann', phone: '0912' })).toEqual(['email: mail', 'phone: number']);
    expect(problems({ username: '', entry: 'password', password: '' }, false)).toEqual([]);
  });

  it('takes an answer that is none for an empty member', () => {
    expect(readRecord(Member, 'nonsense')).toMatchObject({
      id: 0,
      username: '',
      groups: [],
      mayEdit: false,
      state: 'active',
    });
  });
});

describe('the form of a member group', () => {
  const texts = { noName: 'name', badDays: 'days', badTimestamp: 'moment' };

  it('sends back what it was given, 0 as nothing', () => {
    const group = readRecord(EditedGroup, {
      serialno: 1,
      name: 'North',
      retentionDays: 0,
      expiresAtMs: 0,
      deviceGroups: [2],
    });
    expect(draftOfGroup(group)).toEqual({ ...NEW_GROUP, name: 'North', deviceGroups: ['2'] });
    expect(groupOfDraft(draftOfGroup(group))).toEqual({
      name: 'North',
      retentionDays: 0,
      expiresAtMs: 0,
      deviceGroups: [2],
    });
  });

  it.each([
    [null, undefined],
    [1, undefined],
    [36_500, undefined],
    [0, 'days'],
    [-1, 'days'],
    [1.5, 'days'],
    [36_501, 'days'],
    [Number.NaN, 'days'],
  ])('takes %s days as %s', (retentionDays, problem) => {
    expect(checkGroup({ ...NEW_GROUP, name: 'North', retentionDays }, texts).retentionDays).toBe(problem);
  });
});

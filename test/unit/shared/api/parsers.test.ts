import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readDevice,
  readMemberGroups,
  readServerInfo,
  readUserStatus,
  SIGNED_OUT,
} from '../../../../shared/api/parsers.ts';

describe('answers of any server behind the contract', () => {
  test('a signed-in user is read field by field', () => {
    const data = {
      login: true,
      username: 'mei',
      permission: ['event', 7, 'report'],
      membergroup: 3,
      retentiondays: 30,
      expirydate: 1_795_132_800,
    };
    expect(readUserStatus(data)).toEqual({ ...data, permission: ['event', 'report'] });
  });

  test.each([{ login: false, username: 'x' }, {}, null, 'true', { login: 1 }, { login: 'true' }])(
    '%j is nobody',
    (data) => {
      expect(readUserStatus(data)).toEqual(SIGNED_OUT);
    },
  );

  test('a user with nothing else than a login has no permission and no limits', () => {
    expect(readUserStatus({ login: true })).toEqual({ ...SIGNED_OUT, login: true });
  });

  test('limits below 0 or of no number count as none', () => {
    const read = readUserStatus({ login: true, retentiondays: -1, expirydate: 'soon', membergroup: Number.NaN });
    expect(read).toMatchObject({ retentiondays: 0, expirydate: 0, membergroup: 0 });
  });

  test('groups without both fields are left out', () => {
    const list = [{ serialno: 1, name: 'A' }, { serialno: '2', name: 'B' }, { name: 'C' }, null, 4];
    expect(readMemberGroups(list)).toEqual([{ serialno: 1, name: 'A' }]);
    expect(readMemberGroups({ list })).toEqual([]);
  });

  test.each([{}, null, { web_title: null, simpleLive: null, simplePlayback: { layout: 'wide' } }])(
    'server information %j has no title and the usual layouts',
    (data) => {
      expect(readServerInfo(data)).toMatchObject({
        web_title: '',
        simpleLive: { layout: '' },
        simplePlayback: { layout: '' },
        linkKey: null,
      });
    },
  );

  test('each page has a layout of its own', () => {
    const read = readServerInfo({ simplePlayback: { layout: '3x3' } });
    expect(read).toMatchObject({ simpleLive: { layout: '' }, simplePlayback: { layout: '3x3' } });
  });

  test('a device that says nothing has no channel', () => {
    expect(readDevice(undefined)).toEqual({
      chn: 0,
      installchs: '',
      livechs: '',
      ptzchs: '',
      talkchs: '',
      exportchs: '',
      name: '',
      plate: '',
      seenAtMs: 0,
    });
    expect(readDevice({ chn: 4.9, installchs: '1111' })).toEqual({
      chn: 4,
      installchs: '1111',
      livechs: '',
      ptzchs: '',
      talkchs: '',
      exportchs: '',
      name: '',
      plate: '',
      seenAtMs: 0,
    });
  });

  test('no answer makes a reader throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        readUserStatus(data);
        readMemberGroups(data);
        readServerInfo(data);
        readDevice(data);
      }),
    );
  });
});

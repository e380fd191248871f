import { expect, it, onTestFinished } from 'vitest';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { createTestApp } from '../testApp.ts';

it('the file of a member group has room while members of another one send as many as they may', async () => {
  const test = await createTestApp();
  onTestFinished(() => test.close());
  const held: (() => void)[] = [];
  const all = () => new Promise((resolve) => held.push(() => resolve([])));
  Object.assign(test.stores.deviceRecords, { all });
  const [flooding, other] = [
    await test.stores.memberGroups.insert({ name: 'Flooding' }),
    await test.stores.memberGroups.insert({ name: 'Other' }),
  ];
  const send = async (username: string, memberGroup: number) => {
    await test.addUser(username, ALL_PERMISSIONS, [memberGroup]);
    const headers = { cookie: await test.signIn(username), 'content-type': 'text/csv' };
    return () => test.request({ method: 'POST', url: '/api/devicegroup/import/check', headers, body: 'deviceid\nA\n' });
  };
  const [ann, amy, bob] = [await send('ann', flooding), await send('amy', flooding), await send('bob', other)];
  const sent = [ann(), ann(), amy()];
  await waitFor('the files of the group are being planned', () => held.length === 3);
  expect((await amy()).json().code).toBe('too-many-files');
  sent.push(bob());
  await waitFor('the file of the other group is being planned', () => held.length === 4);
  for (const release of held) release();
  await Promise.all(sent);
});

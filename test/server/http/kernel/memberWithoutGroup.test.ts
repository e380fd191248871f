import { afterEach, beforeEach, expect, it } from 'vitest';
import { ALL_PERMISSIONS } from '../../../../shared/protocol/permissions.ts';
import { aFenceContent } from '../../../support/aFence.ts';
import { aRuleContent } from '../../../support/notify/notifyFacts.ts';
import { aSyncRule } from '../../../support/sync/syncRecords.ts';
import { createTestApp, type TestApp } from '../testApp.ts';

const MODEL = {
  ...{ pattern: 'MDVR-*', method: 'packages', manufacturerBytes: 5, window: 1, template: '', passthroughType: 0 },
};
const PLAN = { name: 'Small', megabytes: 100, resetDay: 5, timeZone: 'UTC', price: '', action: 'none' };

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
  const group = await test.stores.memberGroups.insert({ name: 'North' });
  await test.addUser('nomad', ALL_PERMISSIONS);
  await test.addUser('root', ALL_PERMISSIONS, [group]);
});
afterEach(() => test.close());

it.each([
  ['/api/firmware/models', MODEL],
  ['/api/netflow/plans', PLAN],
  ['/api/fence/fences', aFenceContent()],
  ['/api/eventnotify/rules', aRuleContent()],
  ['/api/datasync/rules', aSyncRule()],
] as const)('%s adds nothing for a member without a member group, and says so', async (url, body) => {
  const add = async (name: string) => {
    const cookie = await test.signIn(name);
    const answer = await test.request({ method: 'POST', url, body, headers: { cookie } });
    return [answer.statusCode, answer.json().code];
  };
  expect(await add('nomad')).toEqual([409, 'no-member-group']);
  // For a member with a group, the call looks at what is to be added.
  const [status, code] = await add('root');
  expect(status).toBeLessThan(500);
  expect(code).not.toBe('no-member-group');
});

import { afterEach, beforeEach, expect, it } from 'vitest';
import { HEALTH_PATH, type HealthCheck } from '../../../../../shared/protocol/api/system/health.ts';
import { Permission } from '../../../../../shared/protocol/permissions.ts';
import { createTestApp, type TestApp } from '../../testApp.ts';

const FULL: HealthCheck = {
  id: 'disks/data',
  kind: 'disks',
  subject: 'data',
  state: 'problem',
  values: [
    { name: 'free', unit: 'bytes', value: 10, limit: { bound: 'least', value: 1_024 } },
    { name: 'days-until-full', unit: 'days', value: null, limit: null },
  ],
  advice: 'free-disk',
};

let test: TestApp;
beforeEach(async () => {
  test = await createTestApp();
});
afterEach(() => test.close());

it('the health of the installation is told with its numbers, their limits and what to do', async () => {
  test.health.checks = [FULL];
  await test.addUser('root', [Permission.System, Permission.Version]);
  const response = await test.request({ url: HEALTH_PATH, headers: { cookie: await test.signIn('root') } });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    error: false,
    data: { checkedAtMs: test.clock.now, state: 'ok', checks: [FULL] },
  });
});

it.each([
  ['nobody', undefined, 401],
  ['a member with system alone', [Permission.System], 403],
  ['a member with gmsversion alone', [Permission.Version], 403],
] as const)('it is not told to %s', async (_, permissions, status) => {
  const headers: Record<string, string> = {};
  if (permissions !== undefined) {
    await test.addUser('ann', permissions);
    headers.cookie = await test.signIn('ann');
  }
  const response = await test.request({ url: HEALTH_PATH, headers });
  expect(response.statusCode).toBe(status);
  expect(response.body).not.toContain('checks');
});

// The built gateway, whose threads of reports are programs of their own.
import { expect, it, onTestFinished } from 'vitest';
import { Permission } from '../../shared/protocol/permissions.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import { cheapHash } from '../support/fakes/cheapHash.ts';
import { startProduct } from '../support/gateway/product.ts';
import { reportParameters } from '../support/reports/reportParameters.ts';
import { waitFor } from '../support/waitFor.ts';

const PASSWORD = 'correct horse battery';
const METRICS_TOKEN = 'metrics-token-of-the-test';
const DAY_MS = 86_400_000;

it('the built gateway makes a report, reads it, writes it as a file, and counts it', async () => {
  const product = await startProduct(
    async (stores) => {
      const deviceGroup = await stores.deviceGroups.insert('North');
      const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
      await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
      const { incarnation } = await stores.devices.insert({ deviceId: 'BUS1', name: 'Bus 1', chn: 1, deviceGroup });
      const toMs = Date.now() - DAY_MS;
      await stores.passengerCounts.add({ incarnation, fromMs: toMs - 60_000, toMs, boarded: 7, alighted: 2 });
      const user = { username: 'ann', passwordHash: await cheapHash(PASSWORD), permissions: [Permission.Report] };
      const ann = await stores.users.insert(user, wallMs(Date.now()));
      await stores.memberGroups.setGroupsOfUser(ann, [memberGroup]);
    },
    { METRICS_TOKEN },
  );
  onTestFinished(() => product.stop());
  const call = (method: string, path: string, { body, cookie = '' }: { body?: object; cookie?: string } = {}) =>
    fetch(product.address + path, {
      method,
      headers: { 'content-type': 'application/json', origin: product.address, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const signedIn = await call('POST', '/api/user/login', { body: { username: 'ann', password: PASSWORD } });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const dataOf = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const answer = await call(method, path, body === undefined ? { cookie } : { body, cookie });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return (JSON.parse(text) as { data: Data }).data;
  };
  const parameters = reportParameters({ fromMs: Date.now() - 2 * DAY_MS, toMs: Date.now() });
  const { id } = await dataOf<{ id: number }>('POST', '/api/report/jobs', { kind: 'passengers', parameters });
  await waitFor('the report', async () => {
    const job = await dataOf<{ state: string; fault: string }>('GET', `/api/report/jobs/${id}`);
    expect(job.fault).toBe('');
    return job.state === 'done';
  });
  const page = await dataOf<{ rows: { values: unknown[] }[] }>('GET', `/api/report/result?job=${id}&sort=boarded`);
  expect(page.rows.map(({ values }) => values[3])).toEqual([7]);
  const file = { job: id, format: 'csv', language: 'en', timeZone: 'UTC' };
  const { address } = await dataOf<{ address: string }>('POST', '/api/report/file', file);
  expect(await (await call('GET', address, { cookie })).text()).toContain('Bus 1,');
  const metrics = await fetch(`${product.address}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const text = await metrics.text();
  expect(text).toMatch(/^fleetglass_reports_running 0$/m);
  expect(text).toMatch(/^fleetglass_report_questions 0$/m);
  const bytes = /^fleetglass_report_results_bytes (\d+)$/m.exec(text)?.[1];
  expect(Number(bytes)).toBeGreaterThan(1_000);
});

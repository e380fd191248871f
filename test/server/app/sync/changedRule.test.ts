// Rules of data sync that members change, by way of the whole gateway: a call is answered once data sync follows it.
import { expect, it } from 'vitest';
import { SYNC_RULES_PATH, type SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { aSyncItem, aSyncRule } from '../../../support/sync/syncRecords.ts';
import { openGateway, signIn } from '../wholeGateway.ts';

it('drops what a rule has planned when it is changed, and when it is removed', async () => {
  const { stores, ...gateway } = await openGateway();
  const ask = await signIn({ stores, ...gateway });
  const { incarnation } = (await stores.devices.findByDeviceId('BUS1')) ?? { incarnation: 0 };
  // Off, so that nothing is planned anew.
  const rule = await ask<SyncRule>('POST', SYNC_RULES_PATH, aSyncRule({ enabled: false }));
  const plan = async () => {
    await stores.syncItems.add([aSyncItem(incarnation, { rule: rule.id, requestedBy: '' })], 1);
    expect(await stores.syncItemPages.countOpen([rule.id])).toEqual(new Map([[rule.id, 1]]));
  };
  const url = `${SYNC_RULES_PATH}/${rule.id}`;
  await plan();
  const changed = await ask<SyncRule>('PUT', url, { ...aSyncRule({ enabled: false, daysBack: 2 }), version: 1 });
  expect(changed).toMatchObject({ version: 2, daysBack: 2, openItems: 0 });
  await plan();
  await ask('DELETE', `${url}?version=2`);
  expect(await stores.syncItems.devicesWithOpen()).toEqual([]);
});

import { expect, it, onTestFinished } from 'vitest';
import { startNotifyRules } from '../../../../server/app/notify/rules.ts';
import { createChangeBus } from '../../../../server/bus/changeBus.ts';
import { createClosing } from '../../../../server/process/closing.ts';
import { createLog } from '../../../../server/process/log.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { aRuleContent } from '../../../support/notify/notifyFacts.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';

it('whoever saves a notification rule is answered once events that begin follow it', async () => {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  const stores = createStores(database.db);
  const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  const bus = createChangeBus(noFaults);
  const log = createLog('silent');
  const closing = createClosing((_, error) => {
    throw error;
  });
  onTestFinished(() => closing.close());
  const { settings } = await startNotifyRules({ stores, bus, log, closing, onLimit: () => undefined });
  expect(settings.facts.rules.all).toEqual([]);
  await stores.notifyRules.insert({ memberGroup }, { content: aRuleContent(), by: 'ann', atMs: 1 });
  await bus.recordsChanged.publish({ kinds: ['notifyrule'], memberGroup });
  expect(settings.facts.rules.all).toHaveLength(1);
});

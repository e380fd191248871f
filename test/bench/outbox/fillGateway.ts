// The database of a gateway that sends every event to a webhook twice.
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { aRuleContent, aStep } from '../../support/notify/notifyFacts.ts';
import { addDevices } from '../terminals/fleets.ts';

/** Two messages of each event: one rule with two senders, or two rules with the same sender. */
export type Routes = 'none' | 'two senders' | 'one sender';

/** Adds devices that all belong to one member group, whose id it gives. */
export async function addFleet(stores: Stores, devices: number): Promise<number> {
  const deviceGroup = await stores.deviceGroups.insert('All');
  const memberGroup = await stores.memberGroups.insert({ name: 'All' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  await addDevices(stores, devices, deviceGroup);
  return memberGroup;
}

interface Target {
  /** Port of the webhook. */
  readonly port: number;
  readonly memberGroup: number;
}

export async function addRules(stores: Stores, routes: Routes, { port, memberGroup }: Target): Promise<void> {
  if (routes === 'none') return;
  const first = await addSender(stores, 'First', port);
  const rules = routes === 'one sender' ? [[first], [first]] : [[first, await addSender(stores, 'Second', port)]];
  for (const senders of rules) {
    const deliveries = senders.map((sender) => ({ sender, template: 0 }));
    const content = aRuleContent({ steps: [aStep({ deliveries })] });
    await stores.notifyRules.insert({ memberGroup }, { content, by: 'bench', atMs: wallMs(Date.now()) });
  }
}

async function addSender({ notifySenders }: Stores, name: string, port: number): Promise<number> {
  const settings = { url: `http://127.0.0.1:${port}/`, headers: [] };
  const added = await notifySenders.insert({ name, kind: 'webhook', enabled: true, perMinute: 0, settings });
  if (!added.ok) throw new Error(`the sender could not be added: ${added.reason}`);
  return added.value.id;
}

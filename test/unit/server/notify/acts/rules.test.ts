import { expect, it } from 'vitest';
import { createChangeBus } from '../../../../../server/bus/changeBus.ts';
import { builtInRows } from '../../../../../server/events/types/builtInRows.ts';
import { createNotifyRuleActs, type NotifyRuleActsDeps } from '../../../../../server/notify/acts/rules.ts';
import type { StoredChoices } from '../../../../../server/store/notify/notifyChoices.ts';
import type { NotifyRuleContent } from '../../../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { aRule, aRuleContent } from '../../../../support/notify/notifyFacts.ts';

const NORTH = { userId: 7, username: 'ann', permissions: [], address: '', memberGroup: 4 };
const SOUTH = { ...NORTH, memberGroup: 5 };
const NONE: StoredChoices = { members: [], roles: [], senders: [], templates: [], deviceGroups: [], devices: [] };
const CONTENT = aRuleContent({
  devices: ['BUS1'],
  types: ['speeding'],
  steps: [
    { afterMinutes: 0, deliveries: [{ sender: 2, template: 0 }], members: [], roles: [], addresses: ['a@example.com'] },
  ],
});

/** Senders belong to the installation, and a bus to the member group north. */
function scene() {
  const saved: NotifyRuleContent[] = [];
  const store: NotifyRuleActsDeps['store'] = {
    find: async () => aRule(),
    insert: async (_, { content }) => {
      saved.push(content);
      return { ok: true, value: aRule(content) };
    },
    update: async (_, { content }) => ({ ok: true, value: { before: aRule(), after: aRule(content) } }),
    remove: async () => ({ ok: true, value: aRule() }),
  };
  const acts = createNotifyRuleActs({
    store,
    choices: {
      choices: async (memberGroup) => ({
        ...NONE,
        senders: [{ id: 2, name: 'Mail', kind: 'email', enabled: true }],
        devices: memberGroup === 4 ? [{ deviceid: 'BUS1', name: 'Bus', plate: 'N-1' }] : [],
      }),
    },
    types: { all: async () => builtInRows().map((type) => ({ ...type, version: 1 })) },
    bus: createChangeBus(noFaults),
    now: () => wallMs(1_000),
  });
  return { acts, saved };
}

it('a rule names what its member group and the installation have', async () => {
  const { acts } = scene();
  const refused = (fields: object) => ({ ok: false, reason: { kind: 'fields', fields } });
  const named = { id: 1, version: 1 };
  expect(await acts.add(NORTH, CONTENT)).toMatchObject({ ok: true });
  expect(await acts.add(SOUTH, CONTENT)).toEqual(refused({ devices: 'unknown' }));
  expect(await acts.change(SOUTH, named, CONTENT)).toEqual(refused({ devices: 'unknown' }));
  expect(await acts.change(NORTH, named, { ...CONTENT, types: ['no-type'] })).toEqual(refused({ types: 'unknown' }));
});

it('a rule is saved without blanks around its name', async () => {
  const { acts, saved } = scene();
  await acts.add(NORTH, { ...CONTENT, name: ' Speed ' });
  expect(saved).toEqual([{ ...CONTENT, name: 'Speed' }]);
  expect(await acts.add(NORTH, { ...CONTENT, name: ' ' })).toMatchObject({ reason: { fields: { name: 'required' } } });
});

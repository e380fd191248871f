// Records that an import saves without a request of their own: they are checked, written down and told all the same.
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_TEMPLATE_NAME } from '../../../../shared/protocol/api/notify/templates.ts';
import { FLEET_TIME, fillFleet } from '../../../support/backup/aBackedUpFleet.ts';
import { templateContent } from '../../../support/templateContents.ts';
import { createPartsScene, failures, type PartsScene } from './partsScene.ts';

const CHANGE = { by: 'amy', atMs: FLEET_TIME };

describe('records that an import of parts saves', () => {
  let scene: PartsScene;
  beforeEach(async () => {
    scene = await createPartsScene();
  });

  it('are refused for what their calls would refuse a body for', async () => {
    const { notifyTemplates } = scene.archived;
    const long = 'x'.repeat(MAX_TEMPLATE_NAME + 1);
    await notifyTemplates.add(templateContent({ name: long }), CHANGE);
    const halfPair = { en: { subject: '', body: '\ud83d' } };
    await notifyTemplates.add(templateContent({ name: 'Half', kind: 'sms', texts: halfPair }), CHANGE);
    const unknown = { en: { subject: 'Alarm', body: '{{nothing}}' } };
    await notifyTemplates.add(templateContent({ name: 'Unknown', texts: unknown }), CHANGE);
    const done = await scene.apply(await scene.plan(['templates']));
    expect(failures(done)).toEqual([
      'template Half: bad-text',
      'template Unknown: unknown-variable',
      `template ${long}: bad-request`,
    ]);
    expect(await scene.test.stores.notifyTemplates.all()).toEqual([]);
  });

  it('are told, and stand in the audit in the name of the member', async () => {
    await fillFleet(scene.archived);
    const { changed, stores } = scene.test;
    changed.length = 0;
    expect(failures(await scene.apply(await scene.plan(['devices', 'templates', 'senders'])))).toEqual([]);
    const kinds = ['device', 'group'];
    // Two groups, two devices.
    expect(changed).toEqual([...kinds, ...kinds, ...kinds, ...kinds, 'template', 'sender']);
    const entries = (await stores.audit.list({ limit: 7 })).toReversed();
    expect(entries.map(({ actor, action, target }) => `${actor} ${action} ${target}`)).toEqual([
      'root devicegroup.add Buses',
      'root devicegroup.add Line 1/2',
      'root device.add BUS1',
      'root device.add BUS2',
      'root template.add Short',
      'root sender.add Mail',
      expect.stringMatching(/^root backup\.import /),
    ]);
  });
});

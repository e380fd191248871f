// The recorder while the database takes no rows: it goes on, and what it could not remember is found by its files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { segmentPath } from '../../../server/recording/segmentPath.ts';
import { waitFor } from '../../support/waitFor.ts';
import { createRecorderScene } from './recorderScene.ts';
import { NOON, PICTURE_MS } from './recordingScene.ts';

it('what waited too long for the database is found by its files, and recording goes on meanwhile', async () => {
  const scene = await createRecorderScene();
  onTestFinished(() => scene.close());
  const { devices, recordingPolicies, segments } = scene.stores;
  await devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 1 });
  const always = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 } as const;
  await recordingPolicies.set({ deviceId: 'BUS1', channel: 0 }, always);
  const reached: string[] = [];
  const unstoredLimit = { name: 'unstored', max: 2 };
  await scene.startRecorder({}, { unstoredLimit, onLimit: ({ name }) => reached.push(name) });
  const { add } = segments;
  segments.add = async () => {
    throw new Error('the database is away');
  };
  await scene.run(5 * 60 + 20);
  expect(reached).toContain('unstored');
  expect(await segments.oldest(10)).toEqual([]);
  segments.add = add;
  await scene.run(15);
  // The files are gone through beside what the test's clock drives.
  await waitFor('those that were forgotten', async () => (await segments.oldest(10)).length > unstoredLimit.max + 1);
  await scene.recorder().close();
  const names = readdirSync(join(scene.folder.path, 'recordings'), { recursive: true, encoding: 'utf8' });
  const rows = (await segments.oldest(10)).map((segment) => segmentPath(segment));
  expect(names.filter((name) => name.endsWith('.seg')).sort()).toEqual(rows.sort());
  const numbers = (await scene.pictures()).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
  expect(scene.clock.now - NOON - (numbers.at(-1) ?? 0) * PICTURE_MS).toBeLessThan(1_000);
});

import { expect, it } from 'vitest';
import { createIngestScene } from '../../../support/sync/ingestScene.ts';

it('the file of a member group is read next, however many have come for another one', async () => {
  const read: string[] = [];
  const scene = await createIngestScene(async ({ path }) => void read.push(path));
  const { signal } = new AbortController();
  const length = (path: string, archiveId: string) => scene.ingest.length(path, scene.target({ archiveId }), signal);
  const many = Array.from({ length: 20 }, (_, at) => length(`a${at}`, 'BUS101@1'));
  await Promise.all([...many, length('b', 'BUS201@1')]);
  expect(read.indexOf('b')).toBeLessThan(3);
  await scene.close();
});
